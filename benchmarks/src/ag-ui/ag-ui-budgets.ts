// The budgets of the AG-UI fold.

import {
  ARGUMENTS,
  itemsHead,
  LIVE_INTENT,
  LIVE_INTENT_HEAD,
  messagesHead,
  SESSION_HEADS,
  SESSION_RUN,
  STATE,
  TEXT,
} from "./ag-ui.ts";
import { atLeast, atMost, type Budget, ratio } from "../harness/budget.ts";
import { FOLD } from "./chat-folds.ts";
import { INTENT } from "./live-intents.ts";
import { SESSION } from "./chat-sessions.ts";

function faster(table: string, what: string, head: string, limit: number): Budget {
  return {
    what: `${what}, ${head}: faster than ${FOLD.official}`,
    table,
    ...atLeast(limit),
    measured: (read) => ratio(read, head, FOLD.official, FOLD.opstate),
  };
}

function perToken(table: string, what: string): Budget {
  const head = messagesHead(10_000);
  return {
    what: `${what}, ${head}`,
    table,
    bound: "at most",
    limit: 10,
    unit: "µs",
    measured: (read) => read(head, FOLD.opstate),
  };
}

const TOKENS = [
  [TEXT, "AG-UI, a token of text"],
  [ARGUMENTS, "AG-UI, a token of arguments"],
] as const;

export const AG_UI_BUDGETS: readonly Budget[] = [
  ...TOKENS.flatMap(([table, what]) => [
    faster(table, what, messagesHead(10), 30),
    faster(table, what, messagesHead(1_000), 500),
    perToken(table, what),
  ]),
  {
    what: `AG-UI, a token of arguments shown as an intent once a frame, ${LIVE_INTENT_HEAD}, to the fold alone`,
    table: LIVE_INTENT,
    ...atMost(10),
    measured: (read) => ratio(read, LIVE_INTENT_HEAD, INTENT.frame, INTENT.fold),
  },
  faster(STATE, "AG-UI, a state delta", itemsHead(10_000), 1_000),
  {
    what: `AG-UI, ${SESSION_HEADS.snapshots} through a session, to the fold alone`,
    table: SESSION_RUN,
    ...atMost(1.2),
    measured: (read) => ratio(read, SESSION_HEADS.snapshots, SESSION.session, SESSION.fold),
  },
];
