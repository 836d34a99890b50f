// What a class of the binding is given: a source, or a function that gives it and that Svelte
// tracks. So it follows a prop: `new AgentState(() => client.thread(board, data.id))`.

export type Given<Source> = Source | (() => Source);

/** A source may itself be a function, such as the `undo` of a thread. */
export function getterOf<Source extends object>(given: Given<Source>): () => Source {
  return typeof given === "function" && !("getState" in given) ? given : () => given as Source;
}
