// Spreads work for hundreds of threads over turns of the event loop, so that other requests are
// served in between.

/** Pieces of work in one turn. */
const IN_ONE_TURN = 16;

/** Returns a function that gives each piece of work the promise of its turn. */
export function inTurns(): () => Promise<void> {
  let count = 0;
  let turn: Promise<void> = Promise.resolve();
  return () => {
    count += 1;
    if (count % IN_ONE_TURN === 0) turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)));
    return turn;
  };
}
