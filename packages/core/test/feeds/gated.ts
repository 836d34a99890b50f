// Calls that wait until a test lets them go, in the order in which it does.

export function gate() {
  let waiting: (() => void)[] = [];
  return {
    get length() {
      return waiting.length;
    },
    /** The same function; each call is made at once, its answer waits. */
    hold:
      <Arguments extends readonly unknown[], Result>(call: (...given: Arguments) => Promise<Result>) =>
      async (...given: Arguments): Promise<Result> => {
        const answer = call(...given);
        // It may be a rejection that nobody looks at before it is let go.
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

/** Long enough for everything that needs no outside event. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
