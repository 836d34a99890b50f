// A line: the commits of a stretch of history that count, each with what it did there. A log has
// one line until something is undone; then another one, and another.
//
//   log      a   b   c   u = undo of b   d
//
//   line 0   a   b   c                       what the commits say that they did
//   line 1   a       c'                  d   c' is what c did without b
//
// What a line has in common with the one that it begins with, here `a`, is held once.
//
// Invariant: the state at the end of the last line is the state of the thread.

import { type Effect, isEmpty, type NamedState } from "../../engine/things/index.ts";
import type { Commit } from "../commit.ts";
import { isUndo } from "../entries.ts";

/** What one commit did on a line. */
export interface Step {
  readonly version: number;
  readonly effect: Effect;
}

export class Line {
  readonly base: NamedState;
  /** The versions that do not count on it: of those that did something on a line. */
  readonly omitted: ReadonlySet<number>;
  /** All versions that do not count on it, those of undos too. */
  readonly excluded: ReadonlySet<number>;
  /** The version from which on another line counts. */
  until = Infinity;
  /** Versions that the undo which led to it, or one before, computed anew or carried. */
  readonly marks = new Map<number, "recomputed" | "carried">();
  /** The line that it begins with: what is before `from` is that line's. */
  readonly #begun: Line | undefined;
  readonly #from: number;
  /** From there on, ascending. */
  readonly #own: Step[] = [];
  readonly #effects = new Map<number, Effect>();
  readonly #start: NamedState;
  /** The versions that did something on this line or on one before: one set for all lines. */
  readonly #done: Set<number>;

  constructor(base: NamedState, omitted: ReadonlySet<number>, begun?: Line, from = 0) {
    this.base = base;
    this.#begun = begun;
    this.#from = from;
    this.#start = begun?.before(from) ?? base;
    this.#done = begun === undefined ? new Set() : begun.#done;
    this.omitted = this.thatDid(omitted);
    this.excluded = omitted;
  }

  /** Of some versions, those that did something: what changes nothing makes no difference. */
  thatDid(versions: ReadonlySet<number>): ReadonlySet<number> {
    return new Set([...versions].filter((version) => this.#done.has(version)));
  }

  get end(): NamedState {
    return this.#own.at(-1)?.effect.after ?? this.#start;
  }

  /** Its state before a version. */
  before(version: number): NamedState {
    const line = Line.#lineOf(this, version - 1);
    return line.#own.findLast((step) => step.version < version)?.effect.after ?? line.#start;
  }

  effectOf(version: number): Effect | undefined {
    return Line.#lineOf(this, version).#effects.get(version);
  }

  /** Ascending. */
  get steps(): readonly Step[] {
    return Line.#stepsOf(this);
  }

  add(version: number, effect: Effect): void {
    this.#own.push({ version, effect });
    this.#effects.set(version, effect);
    this.#done.add(version);
  }

  /** The line that has what one did at a version: itself, or one that it began with. */
  static #lineOf(of: Line, version: number): Line {
    let line = of;
    while (line.#begun !== undefined && version < line.#from) line = line.#begun;
    return line;
  }

  static #stepsOf(of: Line): readonly Step[] {
    const parts = [of.#own];
    let from = of.#from;
    for (let line = of.#begun; line !== undefined; line = line.#begun) {
      const before = from;
      parts.unshift(line.#own.filter(({ version }) => version < before));
      from = Math.min(from, line.#from);
    }
    return parts.flat();
  }
}

/**
 * What a commit did on the newest line on which it did something. A commit whose things were taken
 * back did nothing then: that is not what it does where they are.
 */
export function newestEffect(lines: readonly Line[], version: number): Effect | undefined {
  let newest: Effect | undefined;
  for (let at = lines.length - 1; at >= 0; at--) {
    const effect = lines[at]?.effectOf(version);
    if (effect !== undefined && !isEmpty(effect)) return effect;
    newest ??= effect;
  }
  return newest;
}

/** Whether what a commit did on that line was computed anew or carried. */
export function newestMark(lines: readonly Line[], version: number): "recomputed" | "carried" | undefined {
  const effect = newestEffect(lines, version);
  return lines.findLast((line) => line.effectOf(version) === effect)?.marks.get(version);
}

/** What a commit did at first. */
export function firstEffect(lines: readonly Line[], version: number): Effect | undefined {
  return lines.find((line) => line.effectOf(version) !== undefined)?.effectOf(version);
}

/** A line that was begun, and what is left to do on it. */
export interface Beginning {
  readonly line: Line;
  /** The first version at which it differs from the line that counted before. */
  readonly since: number;
  /** The first version that is left to do: what comes before it is that of another line. */
  readonly from: number;
}

/**
 * A new line without some versions. It begins with what it has in common with the newest line.
 * `requested`: those without what was dropped as well.
 * `returns`: it goes back to what an earlier undo or redo led to, so it begins with what it has in
 * common with any line.
 *
 *   line 0   a   b   c          a redo of b goes back to line 0: nothing is done again before d
 *   line 1   a       c'   d
 *
 * A commit that did nothing on that line, and does something on the newest one, is done again, so
 * that it is not lost. Not so when exactly the undos count that counted then: one of them was to
 * leave it out.
 */
export function beginLine(
  lines: readonly Line[],
  omitted: ReadonlySet<number>,
  returns: boolean,
  requested: ReadonlySet<number> = omitted,
): Beginning {
  const newest = lines.at(-1);
  if (newest === undefined) throw new Error("A history has at least one line");
  const without = newest.thatDid(omitted);
  const since = firstDifference(newest, without);
  let [from, begun] = [since, newest];
  for (const line of returns ? lines.toReversed() : []) {
    // The lines before it ended earlier.
    if (line.until <= from) break;
    let agrees = firstDifference(line, without);
    if (agrees > from && !isVery(line, requested)) agrees = Math.min(agrees, firstLost(line, newest));
    if (agrees > from) [from, begun] = [agrees, line];
  }
  const line = new Line(begun.base, omitted, begun, from);
  for (const [version, how] of begun.marks) if (version < from) line.marks.set(version, how);
  return { line, since, from };
}

/** Whether the commits and undos that counted on a line to its end are those that count now. */
function isVery({ excluded, until }: Line, requested: ReadonlySet<number>): boolean {
  const isBefore = (version: number): boolean => version < until;
  const [then, now] = [[...excluded].filter(isBefore), [...requested].filter(isBefore)];
  return then.length === now.length && then.every((version) => requested.has(version));
}

/** The first version that did nothing on a line, and does something on the newest one. */
function firstLost(line: Line, newest: Line): number {
  const lost = line.steps.find(({ version, effect }) => {
    const now = isEmpty(effect) ? newest.effectOf(version) : undefined;
    return now !== undefined && !isEmpty(now);
  });
  return lost?.version ?? Infinity;
}

/** Whether an undo takes back undos only: it goes back to what there was. */
export function isReturn(commits: readonly Commit[], selected: Iterable<number>): boolean {
  const first = commits[0]?.version ?? 0;
  return [...selected].every((version) => {
    const operation = commits[version - first]?.operation;
    return operation !== undefined && isUndo(operation);
  });
}

/** The first version that counts on a line and not without `omitted`, or the other way round. */
function firstDifference(line: Line, omitted: ReadonlySet<number>): number {
  let first = line.until;
  for (const version of omitted) if (version < first && !line.omitted.has(version)) first = version;
  for (const version of line.omitted) if (version < first && !omitted.has(version)) first = version;
  return first;
}
