// What the middleware remembers: the run, and what the model was last shown.
//
// It is kept in a private field of the graph, not in the middleware. So it survives a restart, and
// one middleware serves many threads.

import type { StateBase } from "@opstate/agent";

/** Plain JSON: a checkpoint stores it. */
export interface Memory {
  readonly runId: string;
  readonly observation?: Observation;
  /** The snapshot that the middleware wrote to the field last. */
  readonly written?: Written;
  /** For the next model call: an edit of the field that had no effect, in words. */
  readonly notice?: string;
  /**
   * Of a large state: the snapshot that stands before the conversation. Its text is made again from
   * the thread, to the letter: a checkpoint has its version alone.
   */
  readonly base?: StateBase;
}

/** A version of a thread. */
export interface Written {
  readonly threadId: string;
  readonly incarnation: string;
  readonly version: number;
}

/** What the model is shown with one call: the thread at version `to`, and a digest since `from`. */
export interface Observation {
  readonly threadId: string;
  readonly from: number;
  readonly to: number;
  /** What others did after version `from`, in words; "" for nothing. */
  readonly digest: string;
  /** An edit of the field that had no effect, in words. */
  readonly notice?: string;
  /**
   * The id of the last message before the call. An AI message after it means: the model saw this.
   */
  readonly after?: string;
}

/**
 * The field of a middleware's memory, by the middleware's name. LangChain keeps fields that begin
 * with `_` out of inputs and outputs.
 */
export function memoryKey(name: string): `_${string}` {
  return `_opstate_${name}`;
}

export function memoryOf(state: Readonly<Record<string, unknown>>, name: string): Memory | undefined {
  const memory = state[memoryKey(name)];
  return isMemory(memory) ? memory : undefined;
}

function isMemory(value: unknown): value is Memory {
  return typeof value === "object" && value !== null && "runId" in value && typeof value.runId === "string";
}
