// What the middleware remembers, in a private field of the graph: the run, and what the model was last shown.
//
// It lives in the graph, not in the middleware, so that it survives a restart and one middleware serves many threads.

import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { Actor, AnyDefinition, StateOf, Thread } from "@opstate/core";
import { snapshotOf, type ThreadSnapshot } from "../fields/thread-snapshot.ts";

/** Plain JSON. */
export interface Memory {
  readonly runId: string;
  readonly look?: Look;
}

/** What the model is shown with one call: the thread at version `to`, and in words what others did after version `from`. */
export interface Look {
  readonly threadId: string;
  readonly from: number;
  readonly to: number;
  readonly digest: string;
  /** The last message when the model was called: when an AI message follows it, the model has seen this. */
  readonly after?: string;
}

/** Versions move while a digest is made; after so many tries it may tell of a commit twice rather than never. */
const TRIES = 3;

/** The private field of a definition's memory: LangChain keeps fields with `_` out of inputs and outputs. */
export function memoryKey({ name }: AnyDefinition): `_${string}` {
  return `_opstate_${name}`;
}

export function memoryOf(state: Readonly<Record<string, unknown>>, definition: AnyDefinition): Memory | undefined {
  const memory = state[memoryKey(definition)];
  return isMemory(memory) ? memory : undefined;
}

/** The next look at the thread, with the snapshot it shows. It tells again what the last one told when the model never answered that one. */
export async function lookAt<D extends AnyDefinition>(
  thread: Thread<D>,
  last: Look | undefined,
  messages: readonly BaseMessage[],
  options: { readonly for: Actor; readonly budget: number },
): Promise<{ readonly look: Look; readonly snapshot: ThreadSnapshot<StateOf<D>> }> {
  const { threadId } = thread;
  const known = last?.threadId === threadId && last.to <= thread.version ? last : undefined;
  const from = known === undefined ? thread.version : isAnswered(known, messages) ? known.to : known.from;
  const after = messages.at(-1)?.id;
  for (let tries = 1; ; tries++) {
    const to = thread.version;
    const digest = to === from ? "" : await thread.digest({ since: from, ...options });
    if (to !== thread.version && tries < TRIES) continue;
    return { look: { threadId, from, to, digest, ...(after === undefined ? {} : { after }) }, snapshot: snapshotOf(thread) };
  }
}

function isAnswered({ after }: Look, messages: readonly BaseMessage[]): boolean {
  const index = messages.findIndex(({ id }) => id === after);
  return index === -1 || messages.slice(index + 1).some((message) => AIMessage.isInstance(message));
}

function isMemory(value: unknown): value is Memory {
  return typeof value === "object" && value !== null && "runId" in value && typeof value.runId === "string";
}
