// Calls whose answers a test releases, in the order that the test chooses.

export function gate() {
  let waiting: (() => void)[] = [];
  return {
    get length() {
      return waiting.length;
    },
    /** The same function: each call is made at once, its answer is held back until `release`. */
    hold:
      <Arguments extends readonly unknown[], Result>(call: (...given: Arguments) => Promise<Result>) =>
      async (...given: Arguments): Promise<Result> => {
        const answer = call(...given);
        // A rejection must not count as unhandled before it is released.
        answer.catch(() => undefined);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return answer;
      },
    release() {
      const released = waiting;
      waiting = [];
      for (const resolve of released) resolve();
    },
  };
}

/** After all that needs no outside event. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
