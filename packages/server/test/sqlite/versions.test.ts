// A file that several releases of a definition write to, one after another: rules that read each
// other are not stale after a restart, and a chain of migrations brings every old state along.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineState, openThread } from "@opstate/core";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { sqliteLog } from "../../src/sqlite/index.ts";

const directory = mkdtempSync(join(tmpdir(), "opstate-versions-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ada = { kind: "user", id: "ada" };
const derive = {
  "/total": (cart: { subtotal: number; shipping: number }) => cart.subtotal + cart.shipping,
  "/subtotal": (cart: { costs: readonly number[] }) => cart.costs.reduce((sum, cost) => sum + cost, 0),
};
const sums = { costs: z.array(z.int()), shipping: z.int(), total: z.int(), subtotal: z.int() };
const add = {
  input: z.object({ cost: z.int() }),
  apply: (draft: { costs: number[] }, { cost }: { cost: number }) => void draft.costs.push(cost),
};
const initial = { costs: [], shipping: 5, total: 0, subtotal: 0 };

const releases = [
  defineState({ name: "cart", schema: z.object(sums), initial, derive, operations: { add } }),
  defineState({
    name: "cart",
    version: 2,
    schema: z.object({ ...sums, note: z.string() }),
    initial: { ...initial, note: "" },
    derive,
    operations: { add },
    migrate: { 1: (state) => ({ ...state, note: "from 1" }) },
  }),
  defineState({
    name: "cart",
    version: 3,
    schema: z.object({ ...sums, notes: z.array(z.string()) }),
    initial: { ...initial, notes: [] },
    derive,
    operations: { add },
    migrate: {
      1: (state) => ({ ...state, note: "from 1" }),
      2: ({ note, ...state }) => ({ ...state, notes: [note], costs: state.costs.map((cost: number) => cost * 100) }),
    },
  }),
];

it.each([
  [
    [1, 1, 2, 2, 3],
    { notes: ["from 1"], costs: [100, 100, 100, 100, 1], total: 406 },
    ["$migrate 1 2", "$migrate 2 3"],
  ],
  [[1, 3, 3], { notes: ["from 1"], costs: [100, 1, 1], total: 107 }, ["$migrate 1 3"]],
  [[2, 3], { notes: [""], costs: [100, 1], total: 106 }, ["$migrate 2 3"]],
])("opened by the releases %j", async (order, state, migrations) => {
  const path = join(directory, `${order.join("-")}.sqlite`);
  const seen: string[] = [];
  let last: unknown;
  for (const release of order) {
    const definition = releases[release - 1] ?? releases[0]!;
    const log = sqliteLog({ path });
    const thread = await openThread({ definition, log, threadId: "t" });
    await thread.dispatch({ type: "add", cost: 1 }, { actor: ada });
    last = thread.getState();
    seen.splice(0, seen.length, ...(await thread.history()).flatMap((entry) => wordsOf(entry)));
    await thread.close();
    await log.close();
  }
  expect(last).toMatchObject(state);
  expect(seen).toEqual(migrations);
});

function wordsOf(entry: object): readonly string[] {
  const { operation }: { operation?: { type: string; from?: number; to?: number } } =
    "commit" in entry ? (entry.commit as object) : {};
  return operation?.type === "$migrate" ? [`$migrate ${operation.from} ${operation.to}`] : [];
}
