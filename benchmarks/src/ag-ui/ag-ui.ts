// AG-UI: what one event of a stream costs, by the length of the conversation and the size of the
// state, against the official client.

import { candidates, FOLD } from "./chat-folds.ts";
import { candidates as sessions, type Sent, SNAPSHOTS, TOKENS } from "./chat-sessions.ts";
import type { Streamed } from "./chats.ts";
import { candidates as intents, CARDS } from "./live-intents.ts";
import { measure } from "../harness/measure.ts";
import { memoryOf } from "../harness/memory.ts";
import { STEP, SESSION_EVENTS } from "./recorded-session.ts";
import { columnsOf, type Table } from "../harness/results.ts";
import { short } from "../harness/short.ts";

export const TEXT = "AG-UI: one token of a message, by the length of the conversation";
export const ARGUMENTS = "AG-UI: one token of a tool call's arguments, by the length of the conversation";
export const STATE = "AG-UI: one change of the agent's state, by its size";

export const LIVE_INTENT = "AG-UI: one token of a tool call's arguments, shown as what the agent is about to do";
export const LIVE_INTENT_HEAD = `${CARDS.toLocaleString("en")} cards`;

export const SESSION_RUN = "AG-UI: a run through a session, to the fold alone";
export const SESSION_HEADS: Readonly<Record<Sent, string>> = {
  snapshots: `${SNAPSHOTS.count} state snapshots of ${SNAPSHOTS.cards.toLocaleString("en")} cards`,
  text: `${TOKENS.toLocaleString("en")} tokens of text`,
};

const module = new URL("chat-folds.ts", import.meta.url);
const intentsModule = new URL("live-intents.ts", import.meta.url);
const sessionModule = new URL("chat-sessions.ts", import.meta.url);

export function messagesHead(messages: number): string {
  return `${messages.toLocaleString("en")} messages`;
}

export function itemsHead(items: number): string {
  return `${items.toLocaleString("en")} items`;
}

export async function agUiTables(): Promise<readonly Table[]> {
  return [
    await table(TEXT, "text", [10, 1_000, 10_000], messagesHead),
    await table(ARGUMENTS, "arguments", [10, 1_000, 10_000], messagesHead),
    await table(STATE, "state", [100, 10_000, 100_000], itemsHead),
    {
      title: SESSION_RUN,
      unit: "µs",
      columns: await columnsOf(
        ["snapshots", "text"] as const,
        (sent) => SESSION_HEADS[sent],
        (sent) => measure(sessionModule, sessions, sent),
      ),
    },
    {
      title: LIVE_INTENT,
      unit: "µs",
      columns: { [LIVE_INTENT_HEAD]: await measure(intentsModule, intents, CARDS) },
    },
    ...(await sessionTables()),
  ];
}

async function table(
  title: string,
  streamed: Streamed,
  sizes: readonly number[],
  head: (size: number) => string,
): Promise<Table> {
  return {
    title,
    unit: "µs",
    columns: await columnsOf(sizes, head, (size) => measure(module, candidates, { streamed, size })),
  };
}

async function sessionTables(): Promise<readonly Table[]> {
  const title = `AG-UI: a recorded session of ${SESSION_EVENTS.toLocaleString("en")} events`;
  const times: Record<string, number> = {};
  const kept: Record<string, number> = {};
  const peak: Record<string, number> = {};
  for (const fold of short ? [FOLD.opstate] : [FOLD.opstate, FOLD.official]) {
    const { heap, took, peak: most } = await memoryOf(new URL("recorded-session.ts", import.meta.url), [fold]);
    times[fold] = ((took[STEP.folded] ?? Number.NaN) * 1000) / SESSION_EVENTS;
    kept[fold] = (heap[STEP.folded] ?? Number.NaN) - (heap[STEP.events] ?? Number.NaN);
    peak[fold] = most;
  }
  return [
    { title, unit: "µs", columns: { "one event": times } },
    {
      title: `${title}, in memory`,
      unit: "bytes",
      columns: { "kept at its end": kept, "the process at its peak": peak },
    },
  ];
}
