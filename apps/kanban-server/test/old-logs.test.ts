// A log of an earlier board, whose cards had ids from the input or the next free number, under
// today's board: it loads, and undo and redo keep every card's id. On SQLite.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Commit, defineState, openThread, type Verdict } from "@opstate/core";
import { board, sampleBoard } from "@opstate/kanban-domain";
import { sqliteLog } from "@opstate/server/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const ada = { kind: "user", id: "ada" };

/** The board as it was: the id of a new card may be in the input, else it is the next number. */
const earlier = defineState({
  name: "board",
  version: 1,
  schema: z.object({
    columns: z.array(
      z.object({
        columnId: z.string(),
        title: z.string(),
        cardCount: z.int(),
        cards: z.array(z.object({ cardId: z.string(), title: z.string(), priority: z.int() })),
      }),
    ),
  }),
  initial: null,
  derive: { "/columns/*/cardCount": (column) => column.cards.length },
  operations: {
    addCard: {
      input: z.object({ columnId: z.string(), title: z.string(), priority: z.int(), cardId: z.string().optional() }),
      apply(draft, { columnId, title, priority, cardId }) {
        const used = draft.columns.flatMap(({ cards }) => cards.map((card) => Number(card.cardId.slice(2))));
        const column = draft.columns.find((each) => each.columnId === columnId);
        column?.cards.push({ cardId: cardId ?? `T-${Math.max(...used) + 1}`, title, priority });
      },
    },
    editCard: {
      input: z.object({ cardId: z.string(), title: z.string() }),
      apply(draft, { cardId, title }) {
        for (const { cards } of draft.columns) for (const card of cards) if (card.cardId === cardId) card.title = title;
      },
    },
  },
});

const commitOf = (verdict: Verdict): Commit =>
  verdict.accepted && verdict.commit !== undefined ? verdict.commit : expect.unreachable(JSON.stringify(verdict));

test("loads, and keeps the ids of its cards over undo and redo", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kanban-old-log-"));
  const log = sqliteLog({ path: join(folder, "demo.sqlite") });
  onTestFinished(async () => {
    await log.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const old = await openThread({ definition: earlier, log, threadId: "demo" });
  await old.submit({ type: "$replace", value: sampleBoard }, { actor: { kind: "system", id: "demo" } });
  const add = (title: string, cardId?: string) =>
    old.submit({ type: "addCard", columnId: "backlog", title, priority: 2, ...(cardId && { cardId }) }, { actor: ada });
  const first = commitOf(await add("First"));
  const second = commitOf(await add("Second"));
  commitOf(await add("Third", "MINE-1"));
  commitOf(await old.submit({ type: "editCard", cardId: "T-44", title: "Second, edited" }, { actor: ada }));
  await old.close();

  const thread = await openThread({ definition: board, log, threadId: "demo" });
  const added = () =>
    thread
      .getState()
      ?.columns[0]?.cards.slice(5)
      .map(({ cardId, title }) => `${cardId} ${title}`);
  expect(added()).toEqual(["T-43 First", "T-44 Second, edited", "MINE-1 Third"]);
  const undone = commitOf(await thread.undo({ ids: [first.id] }, { actor: ada }));
  expect(added()).toEqual(["T-44 Second, edited", "MINE-1 Third"]);
  commitOf(await thread.undo({ ids: [undone.id] }, { actor: ada }));
  expect(added()).toEqual(["T-43 First", "T-44 Second, edited", "MINE-1 Third"]);
  // What edits the card that goes is named, not moved to another one.
  const refused = await thread.undo({ ids: [second.id] }, { actor: ada });
  expect(refused).toMatchObject({ accepted: false, rejection: { reason: "dependents" } });
  // And new cards go on beside them.
  commitOf(await thread.dispatch(board.op.addCard({ columnId: "backlog", title: "New" }), { actor: ada }));
  expect(added()?.at(-1)).toMatch(/^T-[0-9a-hjkmnp-tv-z]{10} New$/);
  await thread.close();
});
