// The budgets of rendering: to zustand in the same run, and one render for one edit.

import { atMost, type Budget, ratio } from "../harness/budget.ts";
import { HEAD, RENDER_ROW, RENDERED, RENDERING } from "./render.ts";

function shown(row: string, limit: number): Budget {
  return {
    what: `${RENDERING}, ${row}, to ${RENDER_ROW.zustand}`,
    table: RENDERING,
    ...atMost(limit),
    measured: (read) => ratio(read, HEAD, row, RENDER_ROW.zustand),
  };
}

const OWN = [
  RENDER_ROW.local,
  RENDER_ROW.optimistic,
  RENDER_ROW.optimisticPage,
  RENDER_ROW.svelteLocal,
  RENDER_ROW.svelteOptimistic,
  RENDER_ROW.svelteOptimisticPage,
];

export const RENDER_BUDGETS: readonly Budget[] = [
  shown(RENDER_ROW.local, 2),
  shown(RENDER_ROW.optimistic, 3),
  shown(RENDER_ROW.optimisticPage, 3),
  ...OWN.map((row): Budget => ({
    what: `${RENDERED}, ${row}`,
    table: RENDERED,
    ...atMost(1),
    measured: (read) => read(HEAD, row),
  })),
];
