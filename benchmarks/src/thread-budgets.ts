// The budgets of logs, threads and checkpoints.

import { cardsHead } from "./boards.ts";
import { atMost, type Budget, quotient } from "./budget.ts";
import { CHECKPOINTS, FIELD } from "./checkpoints.ts";
import { OVER_SERVER } from "./fan-out.ts";
import { HISTORY } from "./histories.ts";
import { COMMITS, FAN_OUT, subscribersHead, threadsHead } from "./log.ts";
import { LOG } from "./log-writers.ts";
import { PLACE, PROMPTS } from "./prompts.ts";
import { commitsHead, HISTORIES } from "./threads.ts";

function grouped(row: string, threads: number): Budget {
  const head = threadsHead(threads);
  return {
    what: `${row}, ${head}`,
    table: COMMITS,
    bound: "at least",
    limit: 20_000,
    unit: "per second",
    measured: (read) => read(head, row),
  };
}

function heardBy(subscribers: number, limit: number): Budget {
  const head = subscribersHead(subscribers, "p99");
  return {
    what: `operation to subscriber over the server, ${head}`,
    table: FAN_OUT,
    bound: "at most",
    limit,
    unit: "ms",
    measured: (read) => read(head, OVER_SERVER),
  };
}

function percent(part: number | undefined): number | undefined {
  return part === undefined ? undefined : part * 100;
}

export const threadBudgets: readonly Budget[] = [
  {
    what: `${LOG.sqlite}, of what the disk does`,
    table: COMMITS,
    bound: "at least",
    limit: 60,
    unit: "%",
    measured: (read) => percent(quotient(read(threadsHead(1), LOG.sqlite), read(threadsHead(1), LOG.floor))),
  },
  grouped(LOG.sqliteGrouped, 1),
  grouped(LOG.sqliteGrouped, 99),
  grouped(LOG.postgresGrouped, 1),
  heardBy(100, 20),
  heardBy(1_000, 50),
  {
    what: "open a thread of 1,000,000 commits",
    table: HISTORIES,
    bound: "at most",
    limit: 50,
    unit: "ms",
    measured: (read) => read(commitsHead(1_000_000), HISTORY.open),
  },
  {
    what: "undo of the last 10 commits, growth from 1,000 to 100,000 commits",
    table: HISTORIES,
    ...atMost(2),
    measured: (read) =>
      quotient(read(commitsHead(100_000), HISTORY.undoLast), read(commitsHead(1_000), HISTORY.undoLast)),
  },
  {
    what: `${FIELD.version}, growth from 10 to 10,000 cards`,
    table: CHECKPOINTS,
    ...atMost(1),
    measured: (read) => quotient(read(cardsHead(10_000), FIELD.version), read(cardsHead(10), FIELD.version)),
  },
  {
    what: "share of a prompt that the next call can reuse, 60 messages and 10 cards",
    table: PROMPTS,
    bound: "at least",
    limit: 95,
    unit: "%",
    measured: (read) => read(cardsHead(10), PLACE.end),
  },
];
