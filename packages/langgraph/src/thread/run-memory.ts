// What the middleware remembers, in a private field of the graph: the run, and what the model was
// last shown.
//
// It lives in the graph, not in the middleware, so that it survives a restart and one middleware
// serves many threads.

/** Plain JSON. */
export interface Memory {
  readonly runId: string;
  readonly look?: Observation;
}

/**
 * What the model is shown with one call: the thread at version `to`, and in words what others did
 * after version `from`.
 */
export interface Observation {
  readonly threadId: string;
  readonly from: number;
  readonly to: number;
  readonly digest: string;
  /**
   * The last message when the model was called: when an AI message follows it, the model has seen
   * this.
   */
  readonly after?: string;
}

/**
 * The private field of a middleware's memory, by its name: LangChain keeps fields with `_` out of
 * inputs and outputs.
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
