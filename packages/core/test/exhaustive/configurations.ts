// The worlds that are gone through, with what each is for. Two authorities and two writers each.

import type { Operation } from "./operations.ts";
import type { Configuration } from "./world.ts";

export const NOTHING_WRONG = {
  crashes: 0,
  pauses: 0,
  lostHints: 0,
  wrongHints: 0,
  repeats: 0,
  failures: 0,
  page: Infinity,
  mostEntries: Infinity,
  isPaced: false,
};

function of(operations: readonly Operation[], rest: Partial<Configuration>): Configuration {
  return { ...NOTHING_WRONG, ...rest, operations };
}

const add = (id: string, writer: 1 | 2): Operation => ({ id, writer, kind: "add" });
const claim = (id: string, writer: 1 | 2): Operation => ({ id, writer, kind: "claim" });

export const ADDS = [add("a", 1), add("b", 2)];
const CLAIMS = [claim("a", 1), claim("b", 2)];
export const MERGES: readonly Operation[] = [claim("a", 1), { id: "b", writer: 2, kind: "merge" }];

/** Small ones: all of them in a few seconds. */
export const SHORT: { readonly [what: string]: Configuration } = {
  "one crash and one lost hint": of(ADDS, { crashes: 1, lostHints: 1 }),
  "one pause and one lost hint, work in memory takes time": of(ADDS, { pauses: 1, lostHints: 1, isPaced: true }),
  "claims, of which one arrives once more": of(CLAIMS, { repeats: 1 }),
  "a failed call, and an append accepts one entry": of([add("a", 1), claim("b", 1)], { failures: 1, mostEntries: 1 }),
  "a hint of what is not there, and reads of one commit": of(ADDS, { wrongHints: 1, page: 1 }),
  "an expected version, and a pause": of([add("a", 1), { ...add("b", 2), expectedVersion: 0 }], { pauses: 1 }),
  "a merge that may be refused, and a pause": of(MERGES, { pauses: 1 }),
  "two merges of one change, and a crash": of(
    [
      { id: "a", writer: 1, kind: "merge" },
      { id: "b", writer: 2, kind: "merge" },
    ],
    { crashes: 1 },
  ),
  "what changes nothing, and a crash": of([{ id: "a", writer: 1, kind: "touch" }, add("b", 2)], { crashes: 1 }),
  "what is worked out beside the queue, and a pause": of([add("a", 1), { id: "b", writer: 2, kind: "long" }], {
    pauses: 1,
  }),
};

/** All requirements at once, and what a machine can go through of the rest. */
export const FULL: { readonly [what: string]: Configuration } = {
  ...SHORT,
  "two operations of one writer: a crash, a failed call": of([add("a", 1), claim("b", 1)], { crashes: 1, failures: 1 }),
  "two operations: a crash, a pause, a lost hint, work in memory takes time": of(ADDS, {
    crashes: 1,
    pauses: 1,
    lostHints: 1,
    isPaced: true,
  }),
  "three operations: an expected version, a pause, a lost hint": of(
    [add("a", 1), claim("b", 1), { ...add("c", 2), expectedVersion: 1 }],
    { pauses: 1, lostHints: 1 },
  ),
  "three operations: a merge that may be refused, a pause, a lost hint": of([add("c", 1), ...MERGES], {
    pauses: 1,
    lostHints: 1,
  }),
  "three operations: a crash, a pause, a lost hint": of([add("a", 1), claim("b", 1), claim("c", 2)], {
    crashes: 1,
    pauses: 1,
    lostHints: 1,
  }),
};
