// When an operation is not pending any more, and not sooner.

import { describe, expect, it } from "vitest";
import { ada } from "../thread/tally.ts";
import { add, bench, name, pendingOf } from "./bench.ts";

const welcome = (incarnation: string) => ({ type: "welcome", actor: ada, incarnation }) as const;

describe("an operation that was never sent and would be refused now", () => {
  it("is not pending, not shown and not sent, also when it would be accepted again", async () => {
    const { replica, line, commit } = await bench();
    line().status("offline");
    const lost = replica.dispatch(name("x"));
    const theirs = await commit(name("x"));
    line().message({ type: "commits", commits: [theirs] });
    expect(await lost).toMatchObject({ accepted: false, rejection: { reason: "name_taken" } });
    expect(pendingOf(replica)).toEqual([]);
    line().message({ type: "commits", commits: [await commit({ type: "unname", name: "x" } as never)] });
    expect(replica.getState().names).toEqual([]);
    line().status("online");
    expect(line().sent).toEqual([]);
  });
});

describe("an operation that a thread accepted which is gone", () => {
  it("is not pending on the thread of its name that came after: the other ones are sent there, without a basis", async () => {
    const { replica, line, snapshot } = await bench({}, false);
    line().message(welcome("first"));
    line().status("online");
    line().message({ type: "snapshot", snapshot: { version: 4, state: { count: 1, names: [], size: 0 } } });
    const accepted = replica.dispatch(add(1), { id: "accepted" });
    const waiting = replica.dispatch(add(10), { id: "waiting" });
    line().message({ type: "verdict", id: "accepted", verdict: { accepted: true, version: 5 } });
    expect(await accepted).toMatchObject({ accepted: true, version: 5 });
    expect(replica.getState().count).toBe(12);
    line().message(welcome("second"));
    line().message(welcome("second"));
    line().status("online");
    line().message(snapshot());
    expect(pendingOf(replica)).toEqual([[add(10), "sent"]]);
    expect(replica.getState().count).toBe(10);
    expect(line().sent).toEqual([{ id: "waiting", operation: add(10) }]);
    expect(waiting).toBeInstanceOf(Promise);
  });
});

it("what a page stores between the welcome of another thread and its state names no version of the earlier one", async () => {
  const { replica, line } = await bench({}, false);
  line().message(welcome("first"));
  line().status("online");
  line().message({ type: "snapshot", snapshot: { version: 4, state: { count: 1, names: [], size: 0 } } });
  void replica.dispatch(add(10), { id: "waiting" });
  expect(replica.sync.getState().pending).toMatchObject([{ id: "waiting", basedOn: 4, incarnation: "first" }]);
  line().message(welcome("second"));
  const [stored] = replica.sync.getState().pending;
  expect(stored).toMatchObject({ id: "waiting", operation: add(10) });
  expect(stored).not.toHaveProperty("basedOn");
  expect(stored).not.toHaveProperty("incarnation");
  void replica.dispatch(add(20), { id: "later" });
  const later = replica.sync.getState().pending[1];
  expect(later).toMatchObject({ id: "later", operation: add(20) });
  expect(later).not.toHaveProperty("basedOn");
});
