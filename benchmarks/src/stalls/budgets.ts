// How long others may wait for one request, and what it may take.

import type { Budget } from "../harness/budget.ts";
import { heavy } from "./requests.ts";
import { MEMORY, MEMORY_HEAD, OTHERS_WAIT, SAME_WAITS, STALLS } from "./stalls.ts";

export const STALL_BUDGETS: readonly Budget[] = Object.keys(heavy).flatMap((row): Budget[] => [
  {
    what: `${row}: other threads wait`,
    table: STALLS,
    bound: "at most",
    limit: 50,
    unit: "ms",
    measured: (read) => read(OTHERS_WAIT, row),
  },
  {
    what: `${row}: the same thread waits`,
    table: STALLS,
    bound: "at most",
    limit: 250,
    unit: "ms",
    measured: (read) => read(SAME_WAITS, row),
  },
  {
    what: `${row}: memory`,
    table: MEMORY,
    bound: "at most",
    limit: 64_000,
    unit: "KB",
    measured: (read) => {
      const bytes = read(MEMORY_HEAD, row);
      return bytes === undefined ? undefined : bytes / 1000;
    },
  },
]);
