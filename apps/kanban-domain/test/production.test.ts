// The board in production: a column of more cards than are frozen as a list. What its operations do
// there is what they do in development.

import { applyPatch } from "@opstate/core/json-patch";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function boardIn(mode: string) {
  vi.stubEnv("NODE_ENV", mode);
  vi.resetModules();
  return (await import("../src/index.ts")).board;
}

const columns = ["a", "b"].map((columnId) => ({
  columnId,
  title: `Column ${columnId}`,
  cards: Array.from({ length: 60 }, (_, n) => ({
    cardId: `T-${columnId === "a" ? n + 1 : n + 101}`,
    title: `Card ${n}`,
    priority: 1 + (n % 4),
  })),
}));
const updates: readonly { readonly type: string }[] = [
  { type: "move", cardId: "T-7", toColumn: "b", position: 3 },
  { type: "move", fromColumn: "b", toColumn: "a" },
  { type: "addCard", columnId: "a", title: "New", priority: 2 },
  { type: "editCard", cardId: "T-9", title: "Edited" },
  { type: "remove", cardId: "T-10" },
  { type: "addColumn", title: "Third" },
  { type: "renameColumn", columnId: "b", title: "Renamed" },
  {
    type: "$batch",
    operations: [
      { type: "move", cardId: "T-1", toColumn: "b" },
      { type: "remove", cardId: "T-2" },
    ],
  },
  { type: "removeColumn", columnId: "b" },
] as never;

test("does what it does in development, and changes no state that it was given", async () => {
  const outcomes = [];
  for (const mode of ["development", "production"]) {
    const board = await boardIn(mode);
    let state = board.reduce(undefined, { columns });
    const seen: unknown[] = [];
    for (const update of updates) {
      const before = structuredClone(state);
      const result = board.transition(state, update);
      expect(state).toEqual(before);
      state = result.state;
      if (!result.accepted) {
        seen.push(result.rejection);
        continue;
      }
      const { patches, inverse } = result;
      expect(applyPatch(before, patches)).toMatchObject({ ok: true, document: state });
      expect(applyPatch(state, inverse)).toMatchObject({ ok: true, document: before });
      // In which order they come is for the drafts to say.
      seen.push({ state, count: [patches.length, inverse.length] });
    }
    outcomes.push(seen);
  }
  expect(outcomes[0]).toHaveLength(updates.length);
  expect(outcomes[1]).toEqual(outcomes[0]);
});
