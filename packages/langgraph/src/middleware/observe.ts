// Observes the thread before a model call: what the model is shown with the call.

import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { digestUpTo } from "@opstate/agent";
import { defined, type Actor, type AnyDefinition, type StateOf, type Thread } from "@opstate/core";
import { isFieldSnapshot } from "../fields/snapshot-field.ts";
import { snapshotOf, type ThreadSnapshot } from "../fields/thread-snapshot.ts";
import type { Observation } from "../thread/run-memory.ts";

/**
 * The next observation of the thread, and its snapshot. When the model never answered the last one,
 * its changes are shown again. `notice` is about an edit of the field, and shown with the call.
 */
export async function observe<D extends AnyDefinition>(
  thread: Thread<D>,
  last: Observation | undefined,
  notice: string | undefined,
  messages: readonly BaseMessage[],
  {
    checkpoint,
    ...options
  }: { readonly for: Actor; readonly budget: number; readonly checkpoint?: "state" | "version" | undefined },
): Promise<{ readonly observation: Observation; readonly snapshot: ThreadSnapshot<StateOf<D>> }> {
  const { threadId } = thread;
  const known = last?.threadId === threadId && last.to <= thread.version ? last : undefined;
  const from = known === undefined ? thread.version : isAnswered(known, messages) ? known.to : known.from;
  const after = messages.at(-1)?.id;
  const unread = known === undefined || isAnswered(known, messages) ? undefined : known.notice;
  const { to, digest } = await digestUpTo(thread, from, options);
  return {
    observation: defined({ threadId, from, to, digest, notice: notice ?? unread, after }),
    snapshot: snapshotOf(thread, defined({ checkpoint })),
  };
}

/**
 * What an agent inside another graph has seen, as that graph's field has it: the version that the
 * field held when the agent was called. Undefined in the outermost graph.
 */
export function outerObservation(
  { threadId, version }: Pick<Thread, "threadId" | "version">,
  held: unknown,
): Observation | undefined {
  if (!isFieldSnapshot(held) || held.subgraph === undefined) return undefined;
  if (held.version === 0 || held.version > version) return undefined;
  return { threadId, from: held.version, to: held.version, digest: "" };
}

function isAnswered({ after }: Observation, messages: readonly BaseMessage[]): boolean {
  const index = messages.findIndex(({ id }) => id === after);
  return index === -1 || messages.slice(index + 1).some((message) => AIMessage.isInstance(message));
}
