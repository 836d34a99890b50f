// Who wrote the value at a place: back through the log, one inverse patch at a time, following the
// place as items are moved.
//
// Invariants:
// - As long as nothing touched it, the value at `place` in `state` is the one in question.
// - An item that one commit takes out of a list and puts in again is moved, not written.
// - So is one that keeps its value when the list around it is replaced.

import { defined } from "../../defined.ts";
import { OpstateError } from "../../error.ts";
import { NO_LIMITS } from "../../engine/limits/no-limits.ts";
import { formatPointer, type PatchOperation } from "../../patch/index.ts";
import { equal } from "../../json/equal.ts";
import { isRecord, own } from "../../json/container.ts";
import { explainPointer, readPointer } from "../../patch/pointer.ts";
import { Refusal } from "../../patch/refusal.ts";
import { Steps } from "../../patch/steps.ts";
import type { Commit } from "../commit.ts";
import { authorOf } from "../origin.ts";
import type { Pace } from "../pace.ts";
import type { Explanation } from "../results.ts";

type Place = readonly string[];

/** An item around the place, where it was in its list, and the place within it. */
interface Lifted {
  readonly item: unknown;
  readonly from: Place;
  readonly rest: Place;
}

/** Reads commits, newest first, until one touched the place. Undefined when none did. */
export async function explain(
  state: unknown,
  pointer: string,
  commits: AsyncIterable<Commit>,
  pace: Pace,
): Promise<Explanation | undefined> {
  const tokens = readPointer(pointer);
  if (tokens === undefined)
    throw new OpstateError("invalid_pointer", `Invalid JSON Pointer: ${explainPointer(pointer)}.`);
  let after = state;
  let place: Place = tokens;
  for await (const commit of commits) {
    if (pace.isOver) await pace.next();
    const { actor, toolCallId } = commit;
    const { runId } = authorOf(commit);
    const before = stepBack(after, commit, place);
    if (before === undefined) {
      return { commit, actor, ...defined({ runId, toolCallId }), path: formatPointer(place) };
    }
    ({ state: after, place } = before);
  }
  return undefined;
}

/** The state before a commit and the place in it; undefined when the commit touched the place. */
function stepBack(
  after: unknown,
  commit: Commit,
  start: Place,
): { readonly state: unknown; readonly place: Place } | undefined {
  const steps = new Steps(after, NO_LIMITS);
  let place: Place | undefined = start;
  /** What this commit put in, as long as it may be found to have removed the same before. */
  let lifted: Lifted | undefined;
  /** Items that this commit removed, and their places as the steps are undone. */
  let returned: { readonly item: unknown; readonly at: Place }[] = [];
  for (const step of commit.inverse) {
    // The next step may write to it.
    const state = steps.document;
    const at = readPointer(step.path) ?? [];
    if (
      place !== undefined &&
      step.op === "remove" &&
      isWithin(place, at) &&
      Array.isArray(read(state, at.slice(0, -1)))
    ) {
      const removed: Lifted = { item: read(state, at), from: at, rest: place.slice(at.length) };
      steps.keep(removed.item);
      returned = returned.flatMap((other) => follow(state, step, at, other));
      const back = returned.find(({ item, at }) => isSame(removed, item, at));
      if (back === undefined) lifted = removed;
      place = back === undefined ? undefined : [...back.at, ...removed.rest];
    } else {
      if (place !== undefined) {
        const [moved] = follow(state, step, at, { at: place });
        if (moved === undefined) return undefined;
        place = moved.at;
      }
      returned = returned.flatMap((other) => follow(state, step, at, other));
      if (step.op === "add") {
        const target = at.at(-1) === "-" ? [...at.slice(0, -1), String(lengthAt(state, at.slice(0, -1)))] : at;
        if (lifted !== undefined && isSame(lifted, step.value, target)) {
          place = [...target, ...lifted.rest];
          lifted = undefined;
        } else returned.push({ item: step.value, at: target });
      }
    }
    undo(steps, step, commit);
  }
  return place === undefined ? undefined : { state: steps.document, place };
}

function undo(steps: Steps, step: PatchOperation, { version }: Commit): void {
  try {
    steps.take(step);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new OpstateError(
      "corrupt_log",
      `The inverse patches of version ${version} do not apply to the state after it: ${error.message}`,
    );
  }
}

/**
 * An item is moved within its list only: in another list it counts as written. What is inside the
 * item is followed into any list.
 */
function isSame(lifted: Lifted, item: unknown, at: Place): boolean {
  const sameList = formatPointer(lifted.from.slice(0, -1)) === formatPointer(at.slice(0, -1));
  return (lifted.rest.length > 0 || sameList) && equal(lifted.item, item, Infinity);
}

/**
 * Where something is after `step`, an inverse one at `at`, takes `state` back. Nothing when what
 * the step takes back wrote it.
 */
function follow<T extends { readonly at: Place }>(state: unknown, step: PatchOperation, at: Place, thing: T): T[] {
  switch (step.op) {
    case "add":
    case "remove":
      return shifted(state, at, thing, step.op === "add" ? 1 : -1);
    case "replace":
      return replaced(read(state, at), step.value, at, thing);
    case "move": {
      const from = readPointer(step.from) ?? [];
      if (isWithin(thing.at, from)) {
        const sameList = formatPointer(from.slice(0, -1)) === formatPointer(at.slice(0, -1));
        return thing.at.length > from.length || (sameList && Array.isArray(read(state, from.slice(0, -1))))
          ? [{ ...thing, at: [...at, ...thing.at.slice(from.length)] }]
          : [];
      }
      const [without] = shifted(state, from, thing, -1);
      return without === undefined ? [] : shifted(state, at, without, 1);
    }
    default:
      return [thing];
  }
}

/** An item came into or left a list: those behind it shift. */
function shifted<T extends { readonly at: Place }>(state: unknown, at: Place, thing: T, by: 1 | -1): T[] {
  const list = at.slice(0, -1);
  const depth = list.length;
  if (isWithin(list, thing.at)) return [];
  const target = read(state, list);
  if (!Array.isArray(target)) return isWithin(thing.at, at) ? [] : [thing];
  if (!isWithin(thing.at, list)) return [thing];
  const index = Number(thing.at[depth]);
  const edge = at[depth] === "-" ? target.length : Number(at[depth]);
  if (by === -1 && index === edge) return [];
  return [index < edge ? thing : { ...thing, at: thing.at.with(depth, String(index + by)) }];
}

/**
 * Something around the place was replaced, `then` by `now`: the value may be where it was, or
 * elsewhere in the list.
 */
function replaced<T extends { readonly at: Place }>(now: unknown, then: unknown, at: Place, thing: T): T[] {
  if (isWithin(at, thing.at)) return [];
  if (!isWithin(thing.at, at)) return [thing];
  const rest = thing.at.slice(at.length);
  for (let depth = 0; depth < rest.length; depth++) {
    const [nowList, thenList] = [read(now, rest.slice(0, depth)), read(then, rest.slice(0, depth))];
    if (!Array.isArray(nowList) || !Array.isArray(thenList)) continue;
    const place = Number(rest[depth]);
    const isItem = (other: unknown) => equal(nowList[place], other, Infinity);
    const index = isItem(thenList[place]) ? place : thenList.findIndex(isItem);
    if (index >= 0) return [{ ...thing, at: thing.at.with(at.length + depth, String(index)) }];
  }
  return equal(read(now, rest), read(then, rest), Infinity) ? [thing] : [];
}

function isWithin(place: Place, outer: Place): boolean {
  return outer.length <= place.length && outer.every((token, index) => token === place[index]);
}

function lengthAt(state: unknown, place: Place): number {
  const list = read(state, place);
  return Array.isArray(list) ? list.length : 0;
}

function read(state: unknown, place: Place): unknown {
  let value = state;
  for (const token of place)
    value = Array.isArray(value) ? value[Number(token)] : isRecord(value) ? own(value, token) : undefined;
  return value;
}
