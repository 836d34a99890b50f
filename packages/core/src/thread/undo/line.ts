// A line: the commits of a stretch of history that count, each with what it did there. A log has
// one line until something is taken back; then another one, and another.
//
//   log      a   b   c   u = undo of b   d
//
//   line 0   a   b   c                       what the commits say that they did
//   line 1   a       c'                  d   c' is what c did without b
//
// Invariant: the state at the end of the last line is the state of the thread.

import type { Effect, NamedState } from "../../engine/things/index.ts";

/** What one commit did on a line. */
export interface Step {
  readonly version: number;
  readonly effect: Effect;
}

export class Line {
  readonly base: NamedState;
  /** The versions that do not count on it. */
  readonly omitted: ReadonlySet<number>;
  /** Ascending. */
  readonly steps: Step[];
  /** The version from which on another line counts. */
  until = Infinity;
  readonly #effects: Map<number, Effect>;

  constructor(base: NamedState, omitted: ReadonlySet<number>, steps: readonly Step[] = []) {
    this.base = base;
    this.omitted = omitted;
    this.steps = [...steps];
    this.#effects = new Map(steps.map(({ version, effect }) => [version, effect]));
  }

  get end(): NamedState {
    return this.steps.at(-1)?.effect.after ?? this.base;
  }

  effectOf(version: number): Effect | undefined {
    return this.#effects.get(version);
  }

  add(version: number, effect: Effect): void {
    this.steps.push({ version, effect });
    this.#effects.set(version, effect);
  }
}

/** What a commit did on the newest line that has it. */
export function newestEffect(lines: readonly Line[], version: number): Effect | undefined {
  return lines.findLast((line) => line.effectOf(version) !== undefined)?.effectOf(version);
}

/**
 * A new line without some versions, begun with what an earlier line has in common with it: of all
 * lines the one that agrees with it longest. Nothing needs to be done again up to there. Gives the
 * first version that is left to do.
 */
export function beginLine(
  lines: readonly Line[],
  omitted: ReadonlySet<number>,
): { readonly line: Line; readonly from: number } {
  let from = -1;
  let begun: Line | undefined;
  for (const line of lines.toReversed()) {
    const agrees = firstDifference(lines, line, omitted);
    if (agrees > from) [from, begun] = [agrees, line];
  }
  if (begun === undefined) throw new Error("A history has at least one line");
  const steps = begun.steps.filter(({ version }) => version < from);
  return { line: new Line(begun.base, omitted, steps), from };
}

function firstDifference(lines: readonly Line[], line: Line, omitted: ReadonlySet<number>): number {
  let first = line.until;
  for (const version of new Set([...omitted, ...line.omitted]))
    if (version < first && omitted.has(version) !== line.omitted.has(version))
      // A commit that changes nothing makes no difference.
      if (newestEffect(lines, version) !== undefined) first = version;
  return first;
}
