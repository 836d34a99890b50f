// The budgets of the design, and whether the last run met them.

import { AG_UI_BUDGETS } from "../ag-ui/ag-ui-budgets.ts";
import { HTTP_RUN_BUDGETS } from "../ag-ui/http-run-tables.ts";
import { cardsHead } from "../boards/boards.ts";
import { atLeast, atMost, type Budget, least, quotient, ratio, type Read } from "./budget.ts";
import { digits } from "./digits.ts";
import { APPLY } from "../patches/json-patch.ts";
import { candidates as idiomCandidates, IDIOMS, OWN } from "../reducer/idioms.ts";
import { ROW as MOVER } from "../reducer/movers.ts";
import { ROW as PATCHER } from "../patches/patchers.ts";
import { READER_BUDGETS } from "../readers/budgets.ts";
import { ROW as RECORD_ROW, WRITES } from "../reducer/records.ts";
import { FOUND, RECORD, WRITTEN } from "../reducer/reducer.ts";
import { RENDER_BUDGETS } from "../render/budgets.ts";
import { numberAt, type Results } from "./results.ts";
import { FIRST_BOARD_BUDGETS } from "../page/first-board.ts";
import { CLASSIC, PAGE_ROW, SIZE, WITHOUT_ZOD } from "../page/sizes.ts";
import { STALL_BUDGETS } from "../stalls/budgets.ts";
import { THREAD_BUDGETS } from "../threads/thread-budgets.ts";
import { TOUCHED, VALIDATION } from "../reducer/validation.ts";

const MANY = [cardsHead(10_000), cardsHead(100_000)];

/** One move against writing it by hand, on each size of board. */
function byHand(row: string, what: string, limits: Readonly<Record<number, number>>): Budget[] {
  return Object.entries(limits).map(([cards, limit]) => {
    const head = cardsHead(Number(cards));
    return {
      what: `${what}, ${head}, to hand-written`,
      table: FOUND,
      ...atMost(limit),
      measured: (read) => ratio(read, head, row, MOVER.hand),
    };
  });
}

/** How many times faster than a peer, where it is the least. */
function faster(row: string, limit: number): Budget {
  return {
    what: `whole transition, 10,000 cards and more: faster than ${row}`,
    table: FOUND,
    ...atLeast(limit),
    measured: (read) => least(MANY, (head) => ratio(read, head, row, MOVER.whole)),
  };
}

/** One idiom against the better of the peers. */
function fasterThanPeers(idiom: string): Budget {
  const peers = Object.keys(idiomCandidates).filter((row) => row !== OWN);
  return {
    what: `${idiom}: faster than the better of ${peers.join(" and ")}`,
    table: WRITTEN,
    ...atLeast(idiom === "for...of" ? 3.7 : 4),
    measured: (read) => least(peers, (row) => ratio(read, idiom, row, OWN)),
  };
}

const BUDGETS: readonly Budget[] = [
  ...byHand(MOVER.draft, "draft, derive, both patches", { 100: 7, 1_000: 4, 10_000: 1.5, 100_000: 1.5 }),
  ...byHand(MOVER.whole, "whole transition", { 100: 10, 1_000: 6, 10_000: 2, 100_000: 2 }),
  ...Object.keys(IDIOMS).map(fasterThanPeers),
  ...Object.keys(WRITES).map((write): Budget => ({
    what: `${RECORD.toLowerCase()}, ${write}, whole transition, to hand-written`,
    table: RECORD,
    ...atMost(3),
    measured: (read) => ratio(read, write, RECORD_ROW.whole, RECORD_ROW.hand),
  })),
  faster(MOVER.clone, 200),
  faster(MOVER.mutative, 5),
  faster(MOVER.immer, 15),
  {
    what: "touched validation, growth from 1,000 to 100,000 cards",
    table: VALIDATION,
    ...atMost(1.5),
    measured: (read) => quotient(read(cardsHead(100_000), TOUCHED), read(cardsHead(1_000), TOUCHED)),
  },
  ...["replace one", "insert in the middle", "replace 20 levels down"].flatMap((change): Budget[] => [
    {
      what: `JSON Patch, ${change}, to hand-written`,
      table: APPLY,
      ...atMost(2),
      measured: (read) => ratio(read, change, PATCHER.opstate, PATCHER.hand),
    },
    {
      what: `JSON Patch, ${change}: faster than ${PATCHER.fast}`,
      table: APPLY,
      ...atLeast(50),
      measured: (read) => ratio(read, change, PATCHER.fast, PATCHER.opstate),
    },
  ]),
  { what: "page's build: `defineState`, zod left out", ...size(8, WITHOUT_ZOD, PAGE_ROW.define) },
  { what: "page's build: `defineState` and `createReplica`, zod left out", ...size(13, WITHOUT_ZOD, PAGE_ROW.replica) },
  {
    what: "the guide's page: definition, client, binding; zod and React left out",
    ...size(22, WITHOUT_ZOD, PAGE_ROW.guide),
  },
  { what: "zod classic inside `defineState`", ...size(0, CLASSIC, "@opstate/core: defineState") },
  ...THREAD_BUDGETS,
  ...STALL_BUDGETS,
  ...READER_BUDGETS,
  ...FIRST_BOARD_BUDGETS,
  ...RENDER_BUDGETS,
  ...AG_UI_BUDGETS,
  ...HTTP_RUN_BUDGETS,
];

/** A row for each: what, the budget, what was measured, and the verdict. */
export function budgets(results: Results): readonly (readonly string[])[] {
  return BUDGETS.map(({ what, table, bound, limit, unit, measured }) => {
    const value = measured((column, row) => numberAt(results, table, column, row));
    if (value === undefined) return [what, show(limit, unit, bound), "", "not measured"];
    const met = bound === "at most" ? value <= limit : value >= limit;
    return [what, show(limit, unit, bound), show(value, unit), met ? "met" : "**missed**"];
  });
}

function show(value: number, unit: Budget["unit"], bound?: string): string {
  const amount = unit === "×" ? `×${digits(value)}` : `${digits(value)} ${unit}`;
  return bound === undefined ? amount : `${bound} ${amount}`;
}

function size(limit: number, column: string, row: string) {
  const measured = (read: Read) => quotient(read(column, row), 1000);
  return { table: SIZE, bound: "at most", limit, unit: "KB", measured } as const;
}
