// The names of things along the versions of a thread: which thing of an older version is which
// thing now.
//
//   version       7 ------ 8 ------ 9 = head
//   names         N7 ----> N8 ----> N9           each follows the patches of a commit
//   "/cards/2" at 7  is a name  that N9 leads to "/cards/0"
//
// Names begin at the oldest version that a submission was based on. As long as none says what it is
// based on, there are none, and nothing is followed.
//
// Invariant: all names that are held are those of one beginning, so they can be compared.

import type { AnyDefinition } from "../../definition/definition.ts";
import { type NamedState, nameState, sizeOf, slotsOf } from "../../engine/things/index.ts";
import { OpstateError } from "../../error.ts";
import type { Commit } from "../commit.ts";
import { applyCommit, type Confirmed } from "../confirmed.ts";
import type { Log } from "../log/log.ts";
import { readPages } from "../log/scan.ts";
import { readStateAt } from "../log/state-at.ts";
import { originOf } from "../origin.ts";
import { HeldNames, type SharedSlots } from "./held-names.ts";
import type { Pace, Scheduler } from "../pace.ts";
import { nameStep } from "../things/submitted-things.ts";

/** Of the versions on the way to the wanted ones, one in so many is held as well. */
const STEP = 64;
/** Over how many commits names are followed. */
const REACH = 5_000;

export interface LineageOptions {
  readonly definition: AnyDefinition;
  readonly log: Log;
  readonly threadId: string;
  /** The incarnation of the thread, when it is a branch. */
  readonly branch: string | undefined;
  readonly scheduler: Scheduler;
  /** Over how many commits names are followed; default 5,000. */
  readonly reach?: number;
  /** What the names that are held are counted in; default that of the process. */
  readonly shared?: SharedSlots;
}

/** The names of some versions, to be looked up. */
export type Names = Pick<Lineage, "at">;

export class Lineage {
  readonly #options: LineageOptions;
  readonly #held: HeldNames;
  #head: { readonly version: number; readonly named: NamedState } | undefined;
  /** Names are held, or are being read: what is committed is noted. */
  #isActive = false;
  /** This version, and those before it, are not in the log any more. */
  #gone = -1;
  /** What was committed since, and is not followed yet. */
  #behind: { readonly commit: Commit; readonly after: Pick<Confirmed, "state"> }[] = [];

  readonly #reach: number;

  constructor(options: LineageOptions) {
    this.#options = options;
    this.#held = new HeldNames(options.shared);
    this.#reach = options.reach ?? REACH;
  }

  /** A commit that followed. `named`: the names after it, where they are known already. */
  add(commit: Commit, after: Pick<Confirmed, "state">, named?: NamedState): void {
    if (!this.#isActive) return;
    if (named !== undefined && this.#head !== undefined && this.#behind.length === 0)
      this.#advance(commit.version, named, slotsOf(commit.patches, named.state));
    else if (this.#behind.push({ commit, after }) > this.#reach) this.invalidate();
  }

  /** Commits were missed. */
  invalidate(): void {
    this.#held.clear();
    this.#head = undefined;
    this.#isActive = false;
    this.#behind = [];
  }

  /** The state of a version with its names; undefined when it is too old. */
  at(version: number): NamedState | undefined {
    return this.#held.at(version);
  }

  /** What was prepared was looked up. */
  release(): void {
    this.#held.need();
  }

  /** Makes the names of these versions, and of the head, ready to be looked up. */
  async prepare(versions: readonly number[], head: { version: number; state: unknown }, pace: Pace): Promise<void> {
    const wanted = new Set([...versions, head.version]);
    this.#held.need(wanted);
    while (this.#head !== undefined && this.#head.version < head.version) {
      const [next] = this.#behind.splice(0, 1);
      if (next?.commit.version !== this.#head.version + 1) {
        this.invalidate();
        break;
      }
      if (pace.isOver) await pace.next();
      const named = this.#follow(this.#head.named, next.commit, next.after.state);
      this.#advance(next.commit.version, named, slotsOf(next.commit.patches, next.after.state));
    }
    if (this.#head?.version === head.version) this.#held.hold(head.version, this.#head.named, 0);
    const missing = versions.filter((version) => version <= head.version && this.at(version) === undefined);
    const reachable = missing.filter((version) => version > this.#gone && head.version - version <= this.#reach);
    if (reachable.length > 0) {
      const oldest = Math.min(...reachable);
      const start = this.#held.nearest(oldest);
      if (start === undefined) await this.#begin(oldest, wanted, head, pace);
      else await this.#followFrom(start.version, start.named, Math.max(...reachable), wanted, pace);
    }
    // What is created from here on has a name, whatever is known of what was before.
    if (this.#head !== undefined) return;
    this.#isActive = true;
    this.#advance(head.version, nameState(head.state), 0);
  }

  async #begin(
    version: number,
    wanted: ReadonlySet<number>,
    head: { version: number; state: unknown },
    pace: Pace,
  ): Promise<void> {
    const state = version === head.version ? head.state : await this.#read(version);
    if (state === undefined) {
      // Compaction took it: others may still be there.
      this.#gone = version;
      return this.prepare([...wanted], head, pace);
    }
    this.invalidate();
    this.#isActive = true;
    const start = nameState(state);
    this.#held.hold(version, start, version === head.version ? 0 : sizeOf(state));
    const named = await this.#followFrom(version, start, head.version, wanted, pace);
    if (named === undefined) return this.invalidate();
    this.#advance(head.version, { state: head.state, names: named.names }, 0);
  }

  /**
   * Holds the names of the wanted versions, and of some on the way. Undefined: commits are missing.
   */
  async #followFrom(
    version: number,
    start: NamedState,
    last: number,
    wanted: ReadonlySet<number>,
    pace: Pace,
  ): Promise<NamedState | undefined> {
    const { log, threadId } = this.#options;
    let [reached, named] = [version, start];
    /** Of what was passed since the last that is held. */
    let slots = 0;
    if (version < last)
      for await (const commits of readPages(log, threadId, { after: version, before: last + 1 })) {
        for (const commit of commits) {
          if (pace.isOver) await pace.next();
          // Compaction took those between meanwhile.
          if (commit.version !== reached + 1) return undefined;
          named = this.#follow(named, commit, applyCommit(named.state, commit));
          reached = commit.version;
          slots += slotsOf(commit.patches, named.state);
          if (!wanted.has(reached) && reached % STEP !== 0) continue;
          this.#held.hold(reached, named, slots);
          slots = 0;
        }
      }
    return reached === last ? named : undefined;
  }

  async #read(version: number): Promise<unknown> {
    const { log, threadId, scheduler } = this.#options;
    const info = await log.info(threadId);
    if (info === undefined || version < info.floor) return undefined;
    try {
      return await readStateAt(log, threadId, version, scheduler);
    } catch (error) {
      // It was compacted meanwhile.
      if (error instanceof OpstateError && error.code === "compacted") return undefined;
      throw error;
    }
  }

  #follow(before: NamedState, commit: Commit, state: unknown): NamedState {
    if (commit.patches.length === 0) return { state, names: before.names };
    const { source, operation } = originOf(commit, this.#options.branch);
    const { patches } = commit;
    return nameStep(this.#options.definition.model, before, { state, patches, operation }, source).after;
  }

  #advance(version: number, named: NamedState, slots: number): void {
    this.#head = { version, named };
    this.#held.hold(version, named, slots);
  }
}
