// The hand of a moment: the page's own, when the visitor wants to be shown.

import type { Session } from "@opstate/kanban-page/session.ts";
import { createSource } from "@opstate/core/readable";
import { expect, it } from "vitest";
import { createStage } from "../../../src/page/tour/stage.ts";

/** A stage on a page in which a number counts what happened. */
function setUp() {
  const happened = createSource(0);
  const branch = { ...happened, getState: () => ({}) };
  const thread = { ...happened, sync: happened, proposals: happened, history: { with: () => happened } };
  const shown: { sentence: string; isWaiting: boolean }[] = [];
  const asked = new Set<() => void>();
  const stage = createStage({
    // All that a stage subscribes to.
    session: { thread, chat: happened, branch } as unknown as Session,
    signal: new AbortController().signal,
    show: (now) => shown.push(now),
    isPatient: () => true,
    onShowMe(act) {
      asked.add(act);
      return () => asked.delete(act);
    },
    reload: () => undefined,
  });
  return { stage, happened, shown, showMe: () => asked.forEach((act) => act()) };
}

it("is not offered while it acts, and is again with the next wait", async () => {
  const { stage, happened, shown, showMe } = setUp();
  let acts = 0;
  const first = stage.hand(
    "Decide.",
    () => happened.getState() === 1,
    () => (acts += 1),
  );
  expect(shown.at(-1)).toEqual({ sentence: "Decide.", isWaiting: true });
  showMe();
  expect(shown.at(-1)).toEqual({ sentence: "Decide.", isWaiting: false });
  showMe();
  expect(acts).toBe(1);
  happened.set(1)();
  await first;
  const second = stage.hand(
    "Decide again.",
    () => happened.getState() === 2,
    () => (acts += 1),
  );
  expect(shown.at(-1)).toEqual({ sentence: "Decide again.", isWaiting: true });
  showMe();
  expect(acts).toBe(2);
  happened.set(2)();
  await second;
});
