// A value that follows from two others.

import type { Readable } from "@opstate/core/readable";

/** The same result while both values are the same. */
export function derived<A, B, T>(a: Readable<A>, b: Readable<B>, combine: (a: A, b: B) => T): Readable<T> {
  const memoized = () => {
    let last: { readonly from: readonly [A, B]; readonly result: T } | undefined;
    return (from: readonly [A, B]): T => {
      if (last === undefined || !Object.is(last.from[0], from[0]) || !Object.is(last.from[1], from[1]))
        last = { from, result: combine(...from) };
      return last.result;
    };
  };
  const [current, initial] = [memoized(), memoized()];
  const getState = () => current([a.getState(), b.getState()]);
  return {
    getState,
    getInitialState: () => initial([a.getInitialState(), b.getInitialState()]),
    subscribe(listener) {
      let seen = getState();
      const check = (): void => {
        const [next, before] = [getState(), seen];
        seen = next;
        if (!Object.is(next, before)) listener(next, before);
      };
      const ends = [a.subscribe(check), b.subscribe(check)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
