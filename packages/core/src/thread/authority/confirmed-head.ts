// What is confirmed of a thread, and its version: what the log holds, never ahead of it.
//
// Invariants:
// - Commits are published one by one, except those that another writer compacted before they were
//   read.
// - When publishing takes long, others run in between.

import type { AnyDefinition } from "../../definition/definition.ts";
import { OpstateError } from "../../error.ts";
import { applyCommits, type Confirmed, confirm, confirmCommit } from "../confirmed.ts";
import type { Commit } from "../commit.ts";
import { isRedact } from "../entries.ts";
import type { NamedState } from "../../engine/things/index.ts";
import type { ThreadLog } from "../log/adapter.ts";
import type { FullLog } from "../log/log.ts";
import { PAGE } from "../log/scan.ts";
import type { Pace, Scheduler } from "../pace.ts";
import type { Head } from "./computed.ts";
import { Lineage } from "./lineage.ts";

export interface ConfirmedHeadOptions extends Head {
  readonly definition: AnyDefinition;
  readonly log: FullLog;
  readonly threadId: string;
  /** The incarnation of the thread, when it is a branch. */
  readonly branch: string | undefined;
  readonly scheduler: Scheduler;
  /** Called after a commit became durable, in version order. */
  onCommit(commit: Commit, after: Confirmed): void;
  /** Called instead when another writer compacted the commits in between. */
  onJump(now: Confirmed): void;
}

export class ConfirmedHead {
  #confirmed: Confirmed;
  #version: number;
  readonly #options: ConfirmedHeadOptions;
  /** The handle of this thread. */
  readonly #thread: ThreadLog;
  readonly lineage: Lineage;

  constructor(options: ConfirmedHeadOptions) {
    this.#options = options;
    this.#confirmed = options.confirmed;
    this.#version = options.version;
    this.#thread = options.log.thread(options.threadId);
    this.lineage = new Lineage(options);
  }

  /** The newest confirmed state, and its version. */
  get head(): Head {
    return { confirmed: this.#confirmed, version: this.#version };
  }

  get version(): number {
    return this.#version;
  }

  /** The commit is in the log. `named`: the names after it, where they were needed. */
  advance(commit: Commit, after: Confirmed, named?: NamedState): void {
    this.#confirmed = after;
    this.#version = commit.version;
    // The names were read from documents that say something else now.
    if (isRedact(commit.operation)) this.lineage.invalidate();
    else this.lineage.add(commit, after, named);
    this.#options.onCommit(commit, after);
  }

  /**
   * Reads what another writer committed. `head` is the one that the log reported: it must lie
   * ahead, and reading must lead there. `announced` gives what was only announced.
   */
  async catchUp(pace: Pace, announced: () => number, head?: number): Promise<void> {
    if (head !== undefined && head <= this.#version) throw this.#corrupt(`its head is version ${head}`);
    for (let isMore = true; isMore;) {
      // A page may end early: its commits are large.
      const { items: page, next } = await this.#thread.commits({ after: this.#version, limit: PAGE });
      const [first] = page;
      const target = Math.max(head ?? 0, announced());
      if ((first === undefined ? target : first.version - 1) > this.#version && (await this.#jump(pace))) continue;
      isMore = next !== undefined;
      for (const commit of page) {
        if (pace.isOver) await pace.next();
        if (commit.version !== this.#version + 1) throw this.#corrupt(`it continues with version ${commit.version}`);
        this.advance(commit, confirmCommit(this.#options.definition, this.#confirmed, commit));
      }
    }
    if (head !== undefined && this.#version < head)
      throw this.#corrupt(`its head is version ${head}, but it has nothing more to read`);
  }

  /**
   * Another writer compacted what was still to be read: the stored state after it is adopted. False
   * when nothing was compacted.
   */
  async #jump(pace: Pace): Promise<boolean> {
    const { definition, log, threadId, onJump } = this.#options;
    const stored = await log.load(threadId);
    if (stored === undefined || stored.info.floor <= this.#version) return false;
    const { snapshot, commits } = stored;
    this.#confirmed = confirm(definition, await applyCommits(snapshot.state, snapshot.version, commits, pace));
    this.#version = snapshot.version + commits.length;
    this.lineage.invalidate();
    onJump(this.#confirmed);
    return true;
  }

  #corrupt(what: string): OpstateError {
    return new OpstateError(
      "corrupt_log",
      `The log of thread "${this.#options.threadId}" does not follow version ${this.#version}: ${what}. Open the thread again.`,
    );
  }
}
