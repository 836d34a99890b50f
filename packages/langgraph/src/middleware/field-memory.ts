// What the middleware of a field without a thread remembers: what the model was last shown.
//
// - It is kept in a private field of the graph, so it survives a restart.
// - An agent inside another graph begins each call with an empty memory. What it saw last is kept
//   in the process, by conversation (`last-seen.ts`).

import type { RunnableConfig } from "@langchain/core/runnables";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { type ContextPolicy, type StateView, viewAtEnd, viewOf } from "@opstate/agent";
import { defined, type Snapshot } from "@opstate/core";
import type { FieldSnapshot } from "../fields/snapshot-field.ts";
import { LastSeen } from "../thread/last-seen.ts";
import { charactersIn } from "./briefing.ts";

/** Plain JSON: a checkpoint stores it. */
export interface FieldMemory {
  readonly view: StateView;
  /** The id of the last message before the call. An AI message after it: the model saw the view. */
  readonly after?: string;
  /** Set when the run has just begun: what changed since its last one was changed by others. */
  readonly isNew?: true;
}

interface State {
  readonly messages: readonly BaseMessage[];
}

/** When the run begins. */
export function beginMemory(
  past: FieldMemory | undefined,
  lastSeen: LastSeen<Snapshot>,
  config: RunnableConfig,
  key: string,
): FieldMemory | undefined {
  if (past !== undefined) return { ...past, isNew: true };
  const seen = lastSeen.get(config, key);
  return seen === undefined ? undefined : { view: viewOf(seen), isNew: true };
}

/** Before a model call. */
export function nextMemory(
  policy: ContextPolicy,
  past: FieldMemory | undefined,
  snapshot: FieldSnapshot,
  { messages }: State,
): FieldMemory {
  const byOthers = past !== undefined && (past.isNew === true || hasUnknownVersion(past.view.known.version, snapshot));
  const { version, state } = snapshot;
  const view = policy.nextView(
    past?.view,
    { version, state },
    { byOthers, isAnswered: isAnswered(past, messages), conversation: charactersIn(messages) },
  );
  return defined({ view, after: messages.at(-1)?.id });
}

/** When the run ends. */
export function endMemory(past: FieldMemory, { version, state }: Snapshot, { messages }: State): FieldMemory {
  const view = viewAtEnd(past.view, { version, state }, { isAnswered: isAnswered(past, messages) });
  return defined({ view, after: past.after });
}

export function isFieldMemory(value: unknown): value is FieldMemory {
  return typeof value === "object" && value !== null && "view" in value;
}

function isAnswered(past: FieldMemory | undefined, messages: readonly BaseMessage[]): boolean {
  if (past === undefined) return true;
  const index = messages.findIndex(({ id }) => id === past.after);
  return index === -1 || messages.slice(index + 1).some((message) => AIMessage.isInstance(message));
}

/**
 * Whether others wrote to the field during the run. What the agent's tools submit has a verdict,
 * and an edit by `updateState` or by a node has none.
 */
function hasUnknownVersion(known: number, { version, outcomes }: FieldSnapshot): boolean {
  const own = new Set(Object.values(outcomes).map((outcome) => outcome.version));
  for (let made = known + 1; made <= version; made++) if (!own.has(made)) return true;
  return version < known;
}
