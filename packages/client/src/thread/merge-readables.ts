// Two values that change over time as one.

import type { Readable } from "@opstate/core/readable";

/** The members of both; the same object while both are the same. */
export function mergeReadables<A extends object, B extends object>(a: Readable<A>, b: Readable<B>): Readable<A & B> {
  let last: { readonly a: A; readonly b: B; readonly both: A & B } | undefined;
  let initial: (A & B) | undefined;

  function getState(): A & B {
    const [ofA, ofB] = [a.getState(), b.getState()];
    if (last?.a !== ofA || last.b !== ofB) last = { a: ofA, b: ofB, both: { ...ofA, ...ofB } };
    return last.both;
  }

  return {
    getState,
    getInitialState: () => (initial ??= { ...a.getInitialState(), ...b.getInitialState() }),
    subscribe(listener) {
      let seen = getState();
      const check = (): void => {
        const before = seen;
        seen = getState();
        if (seen !== before) listener(seen, before);
      };
      const ends = [a.subscribe(check), b.subscribe(check)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
