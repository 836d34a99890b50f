// What a checkpoint stores of a snapshot: savers write JSON, and JSON asks `toJSON`.
//
// It stands on a prototype: LangGraph copies plain objects on their way to a tool (each `Send` is
// stored with its whole input), and a copy would have lost it.

const prototype = {
  toJSON(this: { readonly version: number }) {
    return { version: this.version, state: null, outcomes: {} };
  },
};

/** The same snapshot; as JSON it has its version and no state. */
export function storedAsVersion<S extends { readonly version: number; readonly state: unknown }>(snapshot: S): S {
  return Object.assign(Object.create(prototype), snapshot);
}
