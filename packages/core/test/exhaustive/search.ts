// Goes through every state that a model can come to, in the order of their distance from the first.
//
//   state = (authority, authority, log, surroundings) = four numbers
//
// Invariants:
// - A part of a state has one number, by its text: two states are one exactly when they are equal.
//   Nothing rests on a hash that might be another state's.
// - The two authorities are in the order of their numbers: a state and its mirror image are one.
// - The first moment found to break a law has no shorter way to it.

import type { ModelAuthority } from "./authority.ts";
import type { ModelLog } from "./log.ts";
import { StateTable } from "./state-table.ts";
import { Ways } from "./ways.ts";
import type { Model, Surroundings, World } from "./world.ts";

export interface Found {
  readonly states: number;
  readonly transitions: number;
  /** Moments from the first state to the farthest one. */
  readonly depth: number;
  readonly broken?: { readonly law: string; readonly trace: readonly string[] };
}

export interface SearchOptions {
  /** Default true. */
  readonly isMirrored?: boolean;
  onProgress?(states: number, transitions: number, depth: number): void;
}

/** The numbers of the parts of one kind. */
class Parts<T extends object> {
  readonly #numbers = new Map<string, number>();
  readonly #byPart = new WeakMap<T, number>();
  readonly parts: T[] = [];

  numberOf(part: T): number {
    let number = this.#byPart.get(part);
    if (number !== undefined) return number;
    const text = JSON.stringify(part);
    number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.parts.length;
      this.#numbers.set(text, number);
      this.parts.push(part);
    }
    this.#byPart.set(part, number);
    return number;
  }

  at(number: number): T {
    return this.parts[number] as T;
  }
}

const NAMES = ["A", "B"];
const LIVELOCK = "Something is under way for ever: what happens leads back to where it began.";

export function search(model: Model, { isMirrored = true, onProgress }: SearchOptions = {}): Found {
  const authorities = new Parts<ModelAuthority>();
  const logs = new Parts<ModelLog>();
  const surroundings = new Parts<Surroundings>();
  const table = new StateTable();
  const ways = new Ways();
  let transitions = 0;
  let depth = 0;

  function numbersOf([a, b]: World["authorities"]): readonly [number, number] {
    return [authorities.numberOf(a), authorities.numberOf(b)];
  }

  function swaps(world: World): boolean {
    const [a, b] = numbersOf(world.authorities);
    return isMirrored && a > b;
  }

  function place(world: World, parent: number): number {
    const [a, b] = numbersOf(world.authorities);
    const [low, high] = isMirrored && a > b ? [b, a] : [a, b];
    return table.add(low, high, logs.numberOf(world.log), surroundings.numberOf(world.surroundings), parent);
  }

  function worldAt(index: number): World {
    const [a, b, log, rest] = table.at(index);
    return {
      authorities: [authorities.at(a), authorities.at(b)],
      log: logs.at(log),
      surroundings: surroundings.at(rest),
    };
  }

  /** What happened on the way through these states, and then `last`. */
  function trace(path: readonly number[], last?: () => string): readonly string[] {
    let isSwapped = false;
    const named = (what: string) =>
      what.replaceAll(/\{([01])\}/g, (_, digit: string) => NAMES[isSwapped ? 1 - Number(digit) : Number(digit)] ?? "");
    const lines: string[] = [];
    for (const [at, index] of path.entries()) {
      const after = path[at + 1];
      if (after === undefined) break;
      const moment = model.next(worldAt(index)).find(({ world }) => place(world, index) === after);
      if (moment === undefined) throw new Error("A state has no way to the next one of its trace.");
      lines.push(named(moment.what()));
      if (swaps(moment.world)) isSwapped = !isSwapped;
    }
    if (last !== undefined) lines.push(named(last()));
    return lines;
  }

  function wayTo(index: number): readonly number[] {
    const way: number[] = [];
    for (let at = index; at >= 0; at = table.parent(at)) way.unshift(at);
    return way;
  }

  place(model.first(), -1);
  /** Where the states of this distance end. */
  let end = table.size;
  for (let index = 0; index < table.size; index += 1) {
    if (index === end) {
      depth += 1;
      end = table.size;
    }
    ways.begin();
    for (const { world, what, broken: brokenByMoment } of model.next(worldAt(index))) {
      transitions += 1;
      const known = table.size;
      const after = place(world, index);
      const broken = brokenByMoment ?? (after === known ? model.broken(world) : undefined);
      if (broken !== undefined)
        return {
          states: table.size,
          transitions,
          depth: depth + 1,
          broken: { law: broken, trace: trace(wayTo(index), what) },
        };
      ways.add(after);
    }
    if (index % 100_000 === 0) onProgress?.(index, transitions, depth);
  }
  const found = { states: table.size, transitions, depth };
  const ring = ways.ring();
  return ring === undefined
    ? found
    : { ...found, broken: { law: LIVELOCK, trace: trace([...wayTo(ring[0] ?? 0), ...ring.slice(1)]) } };
}
