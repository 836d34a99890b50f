// A snapshot that a checkpoint stores as its version only. Savers write JSON, and JSON calls
// `toJSON`.
//
// `toJSON` is on the prototype. LangGraph copies plain objects on their way to a tool (each `Send`
// is stored with its whole input), and a copy would lose an own `toJSON`.

const PROTOTYPE = {
  toJSON(this: { readonly version: number }) {
    return { version: this.version, state: null, outcomes: {} };
  },
};

/** The same snapshot. As JSON it has its version and no state. */
export function storedAsVersion<S extends { readonly version: number; readonly state: unknown }>(snapshot: S): S {
  return Object.assign(Object.create(PROTOTYPE), snapshot);
}
