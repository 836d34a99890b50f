// AG-UI over HTTP: what a whole run costs a page, against the official client.

import { atLeast, atMost, type Budget, ratio } from "../harness/budget.ts";
import { measure, type Rounds } from "../harness/measure.ts";
import { columnsOf, type Table } from "../harness/results.ts";
import { short } from "../harness/short.ts";
import { candidates, CLIENT } from "./http-runs.ts";
import { type SentRun, TOKENS } from "./sent-runs.ts";

const TEXT = `AG-UI over HTTP: a run of ${TOKENS} tokens, by the length of the conversation`;
const CALLS = "AG-UI over HTTP: a run of messages with calls";

const module = new URL("http-runs.ts", import.meta.url);

/** `MESSAGES=100 node src/main.ts ag-ui-http`: no conversation or run longer than that. */
const MOST = Number(process.env["MESSAGES"] ?? Infinity);
/** A run of the official client may take minutes. */
const ROUNDS: Rounds = { rounds: Math.min(5, Number(process.env["ROUNDS"] ?? 5)), roundMs: 30 };

const head = ({ messages }: SentRun) => `${messages.toLocaleString("en")} messages`;
const upTo = (runs: readonly SentRun[]) => runs.filter(({ messages }) => messages <= MOST);

const TEXTS: readonly SentRun[] = [10, 1_000, 10_000].map((messages) => ({ sent: "text", messages }));
const calls: readonly SentRun[] = (short ? [100] : [100, 4_000]).map((messages) => ({ sent: "calls", messages }));

export async function httpRunTables(): Promise<readonly Table[]> {
  const columns = (runs: readonly SentRun[]) =>
    columnsOf(upTo(runs), head, (run) => measure(module, candidates, run, ROUNDS));
  return [
    { title: TEXT, unit: "µs", columns: await columns(TEXTS) },
    { title: CALLS, unit: "µs", columns: await columns(calls) },
  ];
}

function faster(messages: number, limit: number): Budget {
  const column = head({ sent: "text", messages });
  return {
    what: `AG-UI over HTTP, ${TOKENS} tokens after ${column}: a session faster than ${CLIENT.official}`,
    table: TEXT,
    ...atLeast(limit),
    measured: (read) => ratio(read, column, CLIENT.official, CLIENT.opstate),
  };
}

export const HTTP_RUN_BUDGETS: readonly Budget[] = [
  faster(10, 10),
  faster(1_000, 150),
  faster(10_000, 500),
  {
    what: `AG-UI over HTTP, 4,000 messages with calls in one run through a session, to ${CLIENT.official}`,
    table: CALLS,
    ...atMost(1.5),
    measured: (read) => ratio(read, head({ sent: "calls", messages: 4_000 }), CLIENT.opstate, CLIENT.official),
  },
];
