// What the commits of a stretch did, one after another, on the line that counts.
//
//   without undos   there is one line: a commit is read, done at the end of the line, and forgotten
//   with undos      what a commit did on an earlier line is requested, so the lines are held
//
// Invariant: both give the same for a stretch without undos.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { Effect, NamedState } from "../../engine/things/index.ts";
import type { Commit } from "../commit.ts";
import type { Log } from "../log/log.ts";
import { readPages } from "../log/scan.ts";
import type { Pace } from "../pace.ts";
import { mayHaveEffect, recordedEffect } from "./history.ts";
import { firstEffect, type Line, newestEffect } from "./line.ts";

/** One commit, and what it did: last, and at first. Undefined: it did nothing. */
export interface Step {
  readonly commit: Commit;
  readonly effect: Effect | undefined;
  readonly first: Effect | undefined;
}

/** One way along a stretch. It may go on when there are more commits. */
export interface Pass {
  /** The end of the line that counts, as far as it is known. */
  readonly end: NamedState;
  /** Whether commits that it was to read are gone: then it ended early. */
  readonly isBroken: boolean;
  /** From where it ended before, up to a version. */
  steps(version: number, pace: Pace): AsyncIterable<Step>;
}

export interface OneLine {
  readonly definition: AnyDefinition;
  readonly log: Log;
  readonly threadId: string;
  /** The incarnation of the branch that it is of. */
  readonly branch: string | undefined;
  /** The state at version `after`, where the stretch begins. */
  readonly base: NamedState;
  readonly after: number;
}

/** Commits that are read at once: each is worked on for some time, and then forgotten. */
const AT_ONCE = 128;

/** Along a stretch without undos. Holds the end of the line, and a part of the log. */
export class ReadingPass implements Pass {
  readonly #of: OneLine;
  #end: NamedState;
  #version: number;
  #isBroken = false;

  constructor(of: OneLine) {
    this.#of = of;
    this.#end = of.base;
    this.#version = of.after;
  }

  get end(): NamedState {
    return this.#end;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  async *steps(version: number, pace: Pace): AsyncGenerator<Step, void, undefined> {
    const { definition, log, threadId, branch } = this.#of;
    const range = { after: this.#version, before: version + 1 };
    for await (const part of readPages(log, threadId, range, pace, AT_ONCE))
      for (const commit of part) {
        this.#isBroken ||= commit.version !== this.#version + 1;
        if (this.#isBroken) return;
        if (pace.isOver) await pace.next();
        const effect = mayHaveEffect(commit) ? recordedEffect(definition, this.#end, commit, branch) : undefined;
        if (effect !== undefined) this.#end = effect.after;
        this.#version = commit.version;
        yield { commit, effect, first: effect };
      }
    this.#isBroken ||= this.#version < version;
  }
}

/** Along lines that are held, and the commits that they are of. */
export class HeldPass implements Pass {
  readonly isBroken = false;
  readonly #lines: readonly Line[];
  readonly #commits: readonly Commit[];
  #count = 0;

  constructor(lines: readonly Line[], commits: readonly Commit[]) {
    this.#lines = lines;
    this.#commits = commits;
  }

  get end(): NamedState {
    const line = this.#lines.at(-1);
    if (line === undefined) throw new Error("A history has at least one line");
    return line.end;
  }

  async *steps(version: number, pace: Pace): AsyncGenerator<Step, void, undefined> {
    for (; this.#count < this.#commits.length; this.#count++) {
      const commit = this.#commits[this.#count];
      if (commit === undefined || commit.version > version) return;
      if (pace.isOver) await pace.next();
      yield {
        commit,
        effect: newestEffect(this.#lines, commit.version),
        first: firstEffect(this.#lines, commit.version),
      };
    }
  }
}
