// Which changes of a branch are in its parent: merged, and not undone there since.

import type { Commit } from "../commit.ts";
import { mergeId, OPSTATE } from "../entries.ts";
import type { Log } from "../log/log.ts";
import type { Receipt } from "../log/stored.ts";
import { readBetween } from "../log/scan.ts";
import type { Pace } from "../pace.ts";
import { excluded } from "../undo/excluded.ts";

/** One change on the parent. */
export interface MergeState {
  /** The id that merging it has: a new one when the merge before was undone. */
  readonly id: string;
  /** The parent's version at which it was merged; undefined when it is not in it. */
  readonly merged: number | undefined;
}

/** Changes that are looked up together at most. */
export const AT_ONCE = 64;

export interface MergesOf {
  readonly log: Log;
  /** The parent, at a version. */
  readonly threadId: string;
  readonly version: number;
  readonly branchIncarnation: string;
}

/** Looks changes of one branch up, one after another. */
export class Merges {
  readonly #of: MergesOf;
  /** Those of the parent since the earliest merge that was looked up. */
  #commits: readonly Commit[] | undefined;
  #undone: ReadonlySet<number> = new Set();

  constructor(of: MergesOf) {
    this.#of = of;
  }

  /** In the order of the changes. Most were never merged: what says so is requested at once. */
  async statesOf(changes: readonly Pick<Commit, "version">[]): Promise<readonly MergeState[]> {
    const receipts = await Promise.all(changes.map(({ version }) => this.#receipt(this.#idOf(version))));
    const states: MergeState[] = [];
    for (const [index, { version }] of changes.entries()) states.push(await this.#stateOf(version, receipts[index]));
    return states;
  }

  async stateOf(change: number): Promise<MergeState> {
    return this.#stateOf(change, await this.#receipt(this.#idOf(change)));
  }

  /** `first`: of the merge that was the first one. */
  async #stateOf(change: number, first: Receipt | undefined): Promise<MergeState> {
    let [id, receipt] = [this.#idOf(change), first];
    let state: MergeState | undefined;
    // Of several merges of one change, the newest that was not undone counts. A merge that changed
    // nothing, because an earlier one was in force, does not replace that one.
    while (receipt?.outcome.accepted === true) {
      const merged = receipt.outcome.version;
      const by = await this.#inForce(id, merged);
      if (by === "commit" || (by === "receipt" && state === undefined)) state = { id, merged };
      id = this.#idOf(change, merged);
      receipt = await this.#receipt(id);
    }
    return state ?? { id, merged: undefined };
  }

  #idOf(change: number, undone?: number): string {
    return mergeId(this.#of.branchIncarnation, change, undone);
  }

  #receipt(id: string): Promise<Receipt | undefined> {
    return this.#of.log.receipt(this.#of.threadId, OPSTATE, id);
  }

  /** How the merge of this id and version is in force. A merge without an effect has no commit. */
  async #inForce(id: string, at: number): Promise<"commit" | "receipt" | "no"> {
    const { log, threadId, version } = this.#of;
    let commits = this.#commits;
    if (commits === undefined || (commits[0]?.version ?? version + 1) > at) {
      commits = await readBetween(log, threadId, at - 1, version);
      this.#commits = commits;
      this.#undone = excluded(commits);
    }
    if (!commits.some((commit) => commit.version === at && commit.id === id)) return "receipt";
    return this.#undone.has(at) ? "no" : "commit";
  }
}

export async function mergeStates(
  of: MergesOf,
  changes: readonly Pick<Commit, "version">[],
  pace: Pace,
): Promise<readonly MergeState[]> {
  const merges = new Merges(of);
  const states: MergeState[] = [];
  for (let from = 0; from < changes.length; from += AT_ONCE) {
    if (pace.isOver) await pace.next();
    states.push(...(await merges.statesOf(changes.slice(from, from + AT_ONCE))));
  }
  return states;
}
