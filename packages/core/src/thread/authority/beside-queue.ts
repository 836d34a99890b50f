// Work that may take long is begun in the queue, and goes on beside it.
//
//   queue    | others |  work ...   | others | others | ... | what is left of the work | others
//   beside                  ... work ... work ... done ----^
//
// Invariants:
// - Short work keeps the order of the calls: it never leaves the queue.
// - What was done beside the queue is checked against what others did meanwhile, in the queue.

import { Pace, type Scheduler } from "../pace.ts";
import type { Aside, Computed, Head } from "./computed.ts";

/** Turns that work may take in the queue: about 60 ms. */
const TURNS = 8;
/** Others may commit faster than the work follows: then it stays in the queue. */
const TIMES = 4;

/**
 * `work` gives the result at a head. It is called again for newer ones, and begins where it ended.
 */
export function besideQueue(
  scheduler: Scheduler,
  work: (head: Head, pace: Pace) => Promise<Computed>,
): (head: Head) => Promise<Computed | Aside> {
  let times = 0;
  return async function compute(head) {
    times += 1;
    let leave: ((aside: Aside) => void) | undefined;
    const long = new Promise<Aside>((resolve) => (leave = resolve));
    let turns = 0;
    const counted: Scheduler = {
      now: () => scheduler.now(),
      async yield() {
        turns += 1;
        if (turns === TURNS && times <= TIMES) leave?.({ aside });
        await scheduler.yield();
      },
    };
    const done = work(head, new Pace(counted));
    // After a failure the work is begun again, in the queue, and throws there.
    const aside = done.then(
      () => compute,
      () => compute,
    );
    return Promise.race([done, long]);
  };
}
