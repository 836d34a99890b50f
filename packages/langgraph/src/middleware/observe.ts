// The next look at the thread: what the model is shown with its call.

import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { Actor, AnyDefinition, StateOf, Thread } from "@opstate/core";
import { snapshotOf, type ThreadSnapshot } from "../fields/thread-snapshot.ts";
import type { Observation } from "../thread/run-memory.ts";

/**
 * Versions move while a digest is made; after so many tries it may tell of a commit twice rather
 * than never.
 */
const TRIES = 3;

/**
 * The next look at the thread, with the snapshot it shows. It tells again what the last one told
 * when the model never answered that one.
 */
export async function observe<D extends AnyDefinition>(
  thread: Thread<D>,
  last: Observation | undefined,
  messages: readonly BaseMessage[],
  {
    checkpoint,
    ...options
  }: { readonly for: Actor; readonly budget: number; readonly checkpoint?: "state" | "version" | undefined },
): Promise<{ readonly look: Observation; readonly snapshot: ThreadSnapshot<StateOf<D>> }> {
  const { threadId } = thread;
  const known = last?.threadId === threadId && last.to <= thread.version ? last : undefined;
  const from = known === undefined ? thread.version : isAnswered(known, messages) ? known.to : known.from;
  const after = messages.at(-1)?.id;
  for (let tries = 1; ; tries++) {
    const to = thread.version;
    const digest = to === from ? "" : await thread.digest({ since: from, ...options });
    if (to !== thread.version && tries < TRIES) continue;
    return {
      look: { threadId, from, to, digest, ...(after === undefined ? {} : { after }) },
      snapshot: snapshotOf(thread, checkpoint === undefined ? {} : { checkpoint }),
    };
  }
}

function isAnswered({ after }: Observation, messages: readonly BaseMessage[]): boolean {
  const index = messages.findIndex(({ id }) => id === after);
  return index === -1 || messages.slice(index + 1).some((message) => AIMessage.isInstance(message));
}
