// The budgets of logs, threads and checkpoints.

import { cardsHead } from "../boards/boards.ts";
import { atMost, type Budget, quotient, type Read } from "../harness/budget.ts";
import { CHECKPOINTS, FIELD } from "./checkpoints.ts";
import { OVER_SERVER } from "../logs/fan-out.ts";
import { HISTORY } from "./histories.ts";
import { COMMITS, FAN_OUT, OTHER_SIDE, subscribersHead, threadsHead } from "../logs/log.ts";
import { LOG } from "../logs/log-writers.ts";
import { SIDES } from "../logs/other-side.ts";
import { PENDING_ROW } from "./pending.ts";
import { EDITS, LENGTHS, ONE_EDIT, PLACE, PROMPTS, PROMPTS_OTHERS } from "./prompts.ts";
import { TAB_ROW, TABS } from "../page/tabs.ts";
import { commitsHead, DRAINS, HISTORIES } from "./threads.ts";

/** Tokens of a prompt in the same steps when every call ended with the whole state, by cards. */
const PROMPT_TOKENS_BEFORE = { 10: 9258, 100: 10_882, 1_000: 18_222, 10_000: 18_224 };

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

/** From a commit to another authority of the thread, as in another process. */
function seenBy(side: string): Budget {
  return {
    what: `commit to another authority, ${side}, p99`,
    table: OTHER_SIDE,
    bound: "at most",
    limit: 250,
    unit: "ms",
    measured: (read) => read("p99", side),
  };
}

function percent(part: number | undefined): number | undefined {
  return part === undefined ? undefined : part * 100;
}

/** A drain, in times of what the authority takes for the same operations. */
function drained(row: string, alone: string, cards: number): Budget {
  const head = cardsHead(cards);
  return {
    what: `1,000 pending, ${row}, ${head}, to ${alone}`,
    table: DRAINS,
    ...atMost(6),
    measured: (read) => ratioOf(read, head, row, alone),
  };
}

function ratioOf(read: Read, head: string, row: string, to: string): number | undefined {
  return quotient(read(head, row), read(head, to));
}

/** In a browser, whose other work is in it too: the median. */
function inTabs(row: string, limit: number): Budget {
  return { what: row, table: TABS, bound: "at most", limit, unit: "ms", measured: (read) => read("median", row) };
}

export const THREAD_BUDGETS: readonly Budget[] = [
  inTabs(TAB_ROW.edit, 100),
  inTabs(TAB_ROW.death, 1_000),
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
  ...Object.values(SIDES).map(seenBy),
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
  ...[100, 1_000].flatMap((cards) => [
    drained(PENDING_ROW.single, PENDING_ROW.authority, cards),
    drained(PENDING_ROW.grouped, PENDING_ROW.authority, cards),
    drained(PENDING_ROW.batches, PENDING_ROW.batchesOnAuthority, cards),
    drained(PENDING_ROW.offline, PENDING_ROW.authority, cards),
  ]),
  ...Object.entries(PROMPT_TOKENS_BEFORE).flatMap(([cards, limit]): Budget[] => {
    const head = cardsHead(Number(cards));
    return [
      {
        what: `share of a prompt that the next call can reuse, 60 messages and ${head}`,
        table: PROMPTS,
        bound: "at least",
        limit: Number(cards) === 10 ? 95 : 90,
        unit: "%",
        measured: (read) => read(head, PLACE.auto),
      },
      {
        what: `the same, when another person changes a card during each step too, ${head}`,
        table: PROMPTS_OTHERS,
        bound: "at least",
        limit: Number(cards) === 10 ? 95 : 90,
        unit: "%",
        measured: (read) => read(head, PLACE.auto),
      },
      {
        what: `length of a prompt, ${head}: as it was with the state at the end`,
        table: LENGTHS,
        bound: "at most",
        limit,
        unit: "tokens",
        measured: (read) => read(head, PLACE.auto),
      },
      {
        what: `an edit by another in the next prompt, ${head}`,
        table: EDITS,
        bound: "at most",
        limit: 60,
        unit: "tokens",
        measured: (read) => read(head, ONE_EDIT),
      },
    ];
  }),
];
