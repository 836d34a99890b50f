// The branches of an open thread: separate threads that begin with a state of it. Merging them.
//
// Invariant: nothing that is done on a branch touches the parent except `merge`, which does it
// again there, each change once.

import type { AnyDefinition } from "../../definition/definition.ts";
import { OpstateError } from "../../error.ts";
import { branchesOf, isBranchOf } from "./branches-of.ts";
import { changeReaders, type ChangeRange } from "../reading/changes-over.ts";
import { type Change, changesOf, describeChanges } from "./changes.ts";
import type { Head } from "../authority/computed.ts";
import type { Verdict } from "../commit.ts";
import { checkWellFormed } from "../id.ts";
import { randomId } from "../random-id.ts";
import type { FullLog, ThreadInfo } from "../log/log.ts";
import { incarnationLog } from "../log/incarnation-log.ts";
import { Meeting } from "./meeting.ts";
import { MERGED_MEANWHILE, unknownChange } from "./merge.ts";
import { Merges, mergeStates, type MergeState } from "./merges.ts";
import { Pace, type Scheduler } from "../pace.ts";
import type { Branch, Thread } from "../thread.ts";
import type { BranchChange, Merged } from "../results.ts";
import type { MergeOptions } from "../options.ts";

/** How often a merge is tried while other servers merge the same change, or take it back. */
const MERGE_ATTEMPTS = 5;

/** Changes that wait together in the parent's queue: others' work comes after them. */
const MERGED_AT_ONCE = 8;

/** What a branch needs of its parent. */
export interface Parent {
  readonly definition: AnyDefinition;
  readonly log: FullLog;
  readonly threadId: string;
  readonly incarnation: string;
  readonly scheduler: Scheduler;
  /** The newest confirmed state, and its version. */
  head(): Head;
  version(): number;
  /** Throws when the parent is closed. */
  mustBeOpen(): void;
  /** The thread of a branch; undefined when the log does not have it. */
  openStored(threadId: string): Promise<Thread | undefined>;
  /** `id`: the one that the merge has. */
  merge(branch: ThreadInfo, meeting: Meeting, change: Change, id: string, options: MergeOptions): Promise<Verdict>;
}

/** The branches of one open thread: each is opened once. */
export class Branches {
  readonly #parent: Parent;
  readonly #opened = new Map<string, Promise<Branch | undefined>>();

  constructor(parent: Parent) {
    this.#parent = parent;
  }

  /** The branch by its id, or undefined when there is none of this thread. */
  async open(id: string): Promise<Branch | undefined> {
    const info = await this.#parent.log.info(id);
    const before = this.#opened.get(id);
    const branch = await before?.catch(() => undefined);
    if (branch !== undefined && branch.incarnation === info?.incarnation) return branch;
    // The opened branch was deleted meanwhile.
    await branch?.close();
    if (!this.#isOwn(info)) return undefined;
    // Another call may be opening it already.
    const opening = this.#opened.get(id) ?? this.#open(id, info);
    this.#opened.set(id, opening);
    const opened = await opening.catch((error: unknown) => {
      this.#opened.delete(id);
      throw error;
    });
    if (opened === undefined) this.#opened.delete(id);
    return opened;
  }

  /** Stores the beginning of a branch, and gives its id. */
  async create(
    start: {
      readonly version: number;
      readonly state: unknown;
      readonly definitionVersion: number;
      readonly at: string;
    },
    id?: string,
  ): Promise<string> {
    const { definition, log, threadId, incarnation } = this.#parent;
    const { version, state, definitionVersion, at } = start;
    const name = id ?? `${Array.from(threadId).slice(0, NAME_LIMIT).join("")}~${randomId().slice(0, 12)}`;
    checkWellFormed("A branch's id", name);
    const parent = { threadId, version, incarnation };
    const made = { definition: definition.name, definitionVersion, state, at, parent };
    const handle = log.thread(name, randomId());
    for (;;) {
      const created = await handle.create(made);
      if (created.status === "created") return name;
      // Throws `replaced`: that is why the parent was not found.
      if (created.status !== "taken") await log.info(threadId);
      if (created.status === "no_parent") throw new OpstateError("invalid_branch", `Thread "${threadId}" is gone.`);
      // It was made and discarded at once.
      if (created.status === "deleted") return name;
      const { info: existing } = created;
      if (this.#isOwn(existing) && existing.parent?.version === version) return name;
      if (!(await this.#isOrphan(existing)))
        throw new OpstateError(
          "invalid_branch",
          `"${name}" is another thread already. Give the branch another id, or leave it out.`,
        );
      await log.thread(name, existing.incarnation).delete();
    }
  }

  /**
   * Whether the thread is a branch whose parent is gone. A parent of another incarnation is another
   * thread.
   */
  async #isOrphan({ parent }: ThreadInfo): Promise<boolean> {
    return parent !== undefined && (await this.#parent.log.info(parent.threadId))?.incarnation !== parent.incarnation;
  }

  list(): Promise<readonly ThreadInfo[]> {
    return branchesOf(this.#parent.log, this.#parent);
  }

  async close(): Promise<void> {
    const ends = [...this.#opened.values()].map(async (opening) => {
      const branch = await opening.catch(() => undefined);
      await branch?.close();
    });
    await Promise.all(ends);
  }

  #isOwn(info: ThreadInfo | undefined): info is ThreadInfo {
    return isBranchOf(info, this.#parent);
  }

  async #open(id: string, info: ThreadInfo): Promise<Branch | undefined> {
    const thread = await this.#parent.openStored(id);
    return thread === undefined ? undefined : this.#branchOf(thread, info);
  }

  #branchOf(thread: Thread, info: ThreadInfo): Branch {
    const { parent, threadId: id, incarnation } = info;
    if (parent === undefined) throw new OpstateError("invalid_branch", `"${id}" is not a branch.`);
    const { definition, log, threadId, scheduler, mustBeOpen } = this.#parent;
    const main = this.#parent;
    const own = incarnationLog(log, info);
    const meeting = new Meeting({ definition, log, branchLog: own, threadId, branch: info, scheduler });
    const opened = this.#opened;
    const mergesAt = (version: number) => ({ log, threadId, version, branchIncarnation: incarnation });
    const closeThread = thread.close;
    let closed = false;

    function checkOpen(): void {
      mustBeOpen();
      if (closed)
        throw new OpstateError("closed", `Branch "${id}" is closed or discarded. Open it again with openBranch.`);
    }

    async function close(): Promise<void> {
      // Once only: another one may have been opened under the id since.
      if (!closed) opened.delete(id);
      closed = true;
      await closeThread();
    }

    async function* changes({ signal, ...range }: ChangeRange): AsyncGenerator<BranchChange, void, undefined> {
      checkOpen();
      const pace = new Pace(scheduler, signal);
      const head = main.head();
      const merges = new Merges(mergesAt(head.version));
      meeting.hold();
      try {
        yield* describeChanges(definition, await meeting.along(head, pace), incarnation, merges, pace, range);
      } finally {
        meeting.release();
      }
    }

    const branch = Object.assign(thread, {
      parent,

      async diff(range: ChangeRange = {}) {
        const described: BranchChange[] = [];
        for await (const change of changes(range)) described.push(change);
        return described;
      },

      async merge(options: MergeOptions): Promise<readonly Merged[]> {
        checkOpen();
        const pace = new Pace(scheduler);
        const changes = await changesOf(own, info, pace);
        const wanted = new Set(options.ids ?? changes.map(({ commit }) => commit.id));
        const chosen = changes.filter(({ commit }) => wanted.has(commit.id));
        const states = await mergeStates(
          mergesAt(main.version()),
          chosen.map(({ commit }) => commit),
          pace,
        );
        const mergeOne = async (change: Change, state: MergeState | undefined): Promise<Verdict> => {
          let known = state;
          for (let attempt = 1; ; attempt++) {
            const verdict = await main.merge(info, meeting, change, known?.id ?? "", options);
            const isLate = !verdict.accepted && verdict.rejection.reason === MERGED_MEANWHILE;
            if (!isLate || attempt === MERGE_ATTEMPTS) return verdict;
            // The parent has followed its log by now.
            const now = await new Merges(mergesAt(main.version())).stateOf(change.commit.version);
            if (now.id === known?.id) return verdict;
            known = now;
          }
        };
        const merged: Merged[] = [];
        meeting.hold();
        try {
          // Here, so that the parent's queue does not wait for it.
          if (chosen.length > 0) await meeting.at(main.head(), pace);
          for (let from = 0; from < chosen.length; from += MERGED_AT_ONCE) {
            const part = chosen.slice(from, from + MERGED_AT_ONCE).map(async (change, index) => {
              const { id: submitted, version } = change.commit;
              return { id: submitted, version, verdict: await mergeOne(change, states[from + index]) };
            });
            merged.push(...(await Promise.all(part)));
          }
        } finally {
          meeting.release();
        }
        for (const { commit } of changes) wanted.delete(commit.id);
        return [...merged, ...[...wanted].map((missing) => unknownChange(missing, id, main.version()))];
      },

      close,

      async discard() {
        await close();
        await log.thread(id, incarnation).delete();
      },
    });
    changeReaders.set(branch, changes);
    return branch;
  }
}

/** Characters of the parent's id in a branch's, so that it stays short. */
const NAME_LIMIT = 100;
