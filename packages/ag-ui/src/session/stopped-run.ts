// The run that a stop of the server cut, as the conversation shows it.

import { isRecord } from "@opstate/core/json";
import type { ChatRun, ChatState } from "../state/chat-state.ts";

/** The name of the CUSTOM event that a server sends before the end of such a run. */
export const STOPPED_EVENT = "opstate.stopped";

/** How far a run came that a stop of the server cut: `steps` of the `calls` that had begun. */
export interface StoppedRun {
  readonly runId: string;
  /** Tool calls with a result. */
  readonly steps: number;
  /** Tool calls that had begun. */
  readonly calls: number;
  /** Whether its agent can go on from there. */
  readonly continuable: boolean;
}

/** What is read of a conversation: both bindings' chats have it. */
export type RunState = Pick<ChatState, "phase" | "custom"> & { readonly run?: ChatRun | undefined };

/**
 * The last run, when a stop of the server cut it: its process was killed, or it closed. Undefined
 * in every other case, and once another run began. A page offers two things then: to go on
 * (`session.continueRun()`, when it is `continuable`), or to take back what the run did
 * (`thread.undo({ runId })`). It survives a reload, unlike `error`.
 *
 * @example
 * ```ts
 * import { initialChatState, stoppedRun } from "@opstate/ag-ui";
 *
 * const value = { runId: "r1", steps: 3, calls: 6, continuable: true };
 * const run = { threadId: "launch", runId: "r1", outcome: "error" as const };
 * stoppedRun({ ...initialChatState(), run, custom: { "opstate.stopped": value } })?.steps; // 3
 * ```
 */
export function stoppedRun({ phase, run, custom }: RunState): StoppedRun | undefined {
  const value = custom[STOPPED_EVENT];
  if (phase === "running" || !isRecord(value) || value["runId"] !== run?.runId) return undefined;
  const { runId, steps, calls, continuable } = value;
  if (typeof runId !== "string" || typeof steps !== "number" || typeof calls !== "number") return undefined;
  return { runId, steps, calls, continuable: continuable === true };
}
