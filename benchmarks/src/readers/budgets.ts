// What readers may cost beside a server that knows nothing.

import { atMost, type Budget, ratio } from "../harness/budget.ts";
import { BACK, BACK_ROW, BARE, CPU, IDLE, OURS, P99, READER_MEMORY, READERS, STREAMED, TURN_ROW } from "./readers.ts";

const toBare = (what: string, table: string, column: string, limit: number): Budget => ({
  what: `${what}, to ${BARE}`,
  table,
  ...atMost(limit),
  measured: (read) => ratio(read, column, OURS, BARE),
});

export const READER_BUDGETS: readonly Budget[] = [
  toBare("10,000 readers, 10 operations a second, p99", READERS, P99, 1.3),
  toBare("10,000 readers, 10 operations a second, CPU time", READERS, CPU, 1.1),
  toBare("memory of each of 10,000 readers, idle", READER_MEMORY, IDLE, 1.25),
  toBare("memory of each of 10,000 readers, after 100 operations", READER_MEMORY, STREAMED, 1.25),
  {
    what: "10,000 readers come back, 200 versions behind",
    table: BACK,
    bound: "at most",
    limit: 5_000,
    unit: "ms",
    measured: (read) => read(OURS, BACK_ROW),
  },
  {
    what: "10,000 readers come back, the longest turn",
    table: BACK,
    bound: "at most",
    limit: 100,
    unit: "ms",
    measured: (read) => read(OURS, TURN_ROW),
  },
];
