// A process that has not seen the version at which another one made a branch.

import { defineState, type Log, memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, elsewhere, robot } from "../tally.ts";

const cards = defineState({
  name: "cards",
  schema: z.object({ cards: z.array(z.object({ id: z.string(), title: z.string() })) }),
  initial: { cards: [] },
  operations: {
    put: {
      input: z.object({ id: z.string() }),
      apply: (draft, { id }) => void draft.cards.unshift({ id, title: "" }),
    },
    retitle: {
      input: z.object({ at: z.int(), title: z.string() }),
      apply(draft, { at, title }, { reject }) {
        const card = draft.cards[at];
        if (card === undefined) return reject("no_card");
        card.title = title;
      },
    },
    drop: { input: z.object({ at: z.int() }), apply: (draft, { at }) => void draft.cards.splice(at, 1) },
  },
});

/** Nothing says to it that another process wrote. */
function unwatched(log: Log): Log {
  return { ...elsewhere(log), watch: () => () => undefined };
}

async function twoProcesses() {
  const log = memoryLog();
  const open = (own: Log) => openThread({ definition: cards, log: own, threadId: "t" });
  const first = await open(elsewhere(log));
  const put = (id: string) => first.dispatch({ type: "put", id }, { actor: ada });
  await put("A");
  const behind = await open(unwatched(log));
  await put("B");
  const branch = await first.branch(undefined, { id: "mine" });
  return { first, behind, branch };
}

describe("a process that is behind the version of the fork", () => {
  it("merges into the card that was changed on the branch", async () => {
    const { first, behind, branch } = await twoProcesses();
    await branch.dispatch({ type: "retitle", at: 0, title: "of B" }, { actor: robot });
    await branch.dispatch({ type: "drop", at: 1 }, { actor: robot });
    expect(behind.version).toBe(1);
    const merged = await (await behind.openBranch("mine"))?.merge({ actor: ada });
    expect(merged?.map(({ verdict }) => verdict.accepted)).toEqual([true, true]);
    await first.dispatch({ type: "put", id: "C" }, { actor: ada });
    expect(first.getState().cards).toEqual([
      { id: "C", title: "" },
      { id: "B", title: "of B" },
    ]);
  });
});
