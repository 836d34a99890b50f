// Where a branch meets its parent: both lines, with one tree of names from the state they share.
//
//   parent   ... ── fork ── p ── q ── r        T, the parent now
//                     └── x ── y ── z          S, the branch: what each change did is known here
//
// A merge does a change again on T as an undo does what it keeps. Names meet by source: what was
// born by a change that is merged already has one name on both lines.
//
// What this branch merged is known there by the names that it has here (`withBranchNames`).
//
// Below the floor of either log the commits are gone: there, things are the same where their
// content is. A branch is read from its floor on.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import { type Effect, effectOf, nameState, type NamedState } from "../../engine/things/index.ts";
import { OpstateError } from "../../error.ts";
import { diff } from "../../patch/index.ts";
import type { Head } from "../authority/computed.ts";
import type { Commit } from "../commit.ts";
import { confirm } from "../confirmed.ts";
import { isMerge, isUndo, type MergeOperation, UNDO } from "../entries.ts";
import type { Log, ThreadInfo } from "../log/log.ts";
import { readBetween, readMatching, readPages } from "../log/scan.ts";
import { readStateAt } from "../log/state-at.ts";
import { Pace, type Scheduler } from "../pace.ts";
import { excluded } from "../undo/excluded.ts";
import { readLines, recordedEffect } from "../undo/history.ts";
import { firstEffect, type Line } from "../undo/line.ts";
import { ReadingPass } from "../undo/pass.ts";
import { readStretch, stateBefore } from "../undo/stretch.ts";
import type { Along, Counted } from "./changes.ts";
import { withBranchNames } from "./merged-names.ts";

export interface MeetingContext {
  readonly definition: AnyDefinition;
  /** The log of both, and of the branch by its incarnation. */
  readonly log: Log;
  readonly branchLog: Log;
  readonly threadId: string;
  readonly branch: ThreadInfo;
  readonly scheduler: Scheduler;
}

/** The parent as seen from a branch. */
interface Parent {
  readonly version: number;
  /** The oldest version of the branch that can be read. */
  readonly floor: number;
  /** The state of the branch at that version. */
  readonly fork: NamedState;
  readonly now: NamedState;
}

type Lines = readonly [Line, ...Line[]];

export class Meeting {
  readonly #context: MeetingContext;
  #parent: Parent | undefined;
  #branch: { readonly fork: NamedState; readonly commits: readonly Commit[]; readonly lines: Lines } | undefined;

  #holders = 0;

  constructor(context: MeetingContext) {
    this.#context = context;
  }

  /** The line of the branch that counts now, and the parent's state to merge into. */
  async at(
    head: Head,
    pace = new Pace(this.#context.scheduler),
  ): Promise<{ readonly line: Line; readonly to: NamedState }> {
    const { branchLog, branch } = this.#context;
    const floor = (await branchLog.info(branch.threadId))?.floor ?? 0;
    this.#parent = (await this.#follow(head, floor, pace)) ?? (await this.#read(head, floor, pace));
    const lines = await this.#readBranch(this.#parent, pace);
    return { line: lines.at(-1) ?? lines[0], to: this.#parent.now };
  }

  /**
   * What the commits of the branch did that count there, oldest first, and the parent's state to
   * merge into. Where nothing was undone, they are read as they are needed, and not held.
   */
  async along(head: Head, pace: Pace): Promise<Along> {
    const { definition, branchLog, branch } = this.#context;
    const { threadId, incarnation } = branch;
    const { floor = 0, version = 0 } = (await branchLog.info(threadId)) ?? {};
    this.#parent = (await this.#follow(head, floor, pace)) ?? (await this.#read(head, floor, pace));
    const { fork, now: to } = this.#parent;
    if (this.#branch !== undefined || (await hasUndos(branchLog, threadId, floor, version, pace))) {
      const lines = await this.#readBranch(this.#parent, pace);
      return { to, steps: counted(lines, this.#branch?.commits ?? []) };
    }
    const base = { state: await this.#stateAt(floor), names: fork.names };
    const pass = new ReadingPass({ definition, log: branchLog, threadId, branch: incarnation, base, after: floor });
    return { to, steps: whole(pass, branch, version, pace) };
  }

  /** What the branch did is kept until `release`, for several calls. */
  hold(): void {
    this.#holders += 1;
  }

  /**
   * Drops what the branch did, which is large, unless others hold it: the next call reads it again.
   * Names stay known.
   */
  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#branch = undefined;
  }

  /** Read again when the branch has new commits, or when its things have other names. */
  async #readBranch({ fork, floor }: Pick<Parent, "fork" | "floor">, pace: Pace): Promise<Lines> {
    const { definition, branchLog, branch } = this.#context;
    const commits = this.#branch?.fork === fork ? [...this.#branch.commits] : [];
    const known = commits.length;
    const after = commits.at(-1)?.version ?? floor;
    for await (const page of readPages(branchLog, branch.threadId, { after }, pace)) commits.push(...page);
    if (this.#branch?.fork === fork && commits.length === known) return this.#branch.lines;
    const base = { state: await this.#stateAt(floor), names: fork.names };
    const lines = await readLines({ definition, branch: branch.incarnation, base, commits }, pace);
    const [first, ...others] = lines;
    if (first === undefined) throw new Error("A branch has a line");
    this.#branch = { fork, commits, lines: [first, ...others] };
    return this.#branch.lines;
  }

  /**
   * A state of the branch: the engine's own where the definition accepts it, so that what follows
   * from it need not be checked at each change.
   */
  async #stateAt(version: number): Promise<unknown> {
    const { definition, branchLog, branch, scheduler } = this.#context;
    return confirm(definition, await readStateAt(branchLog, branch.threadId, version, scheduler)).state;
  }

  async #parentAt(version: number): Promise<Head> {
    const { definition, log, threadId, scheduler } = this.#context;
    return { confirmed: confirm(definition, await readStateAt(log, threadId, version, scheduler)), version };
  }

  /** From what was read last, when the commits since then say all that changed. */
  async #follow({ confirmed, version }: Head, floor: number, pace: Pace): Promise<Parent | undefined> {
    const { definition, log, threadId } = this.#context;
    const before = this.#parent;
    if (before === undefined || before.version > version || before.floor !== floor) return undefined;
    const commits = await readBetween(log, threadId, before.version, version, pace);
    if (commits.length < version - before.version) return undefined;
    if (commits.some(({ operation }) => isUndo(operation))) return undefined;
    let { now } = before;
    const isOurs = commits.some(({ operation }) => this.#isMerged(operation));
    const lines = isOurs ? await this.#readBranch(before, pace) : [];
    for (const commit of commits) {
      if (pace.isOver) await pace.next();
      now = this.#rename(lines, commit, recordedEffect(definition, now, commit, undefined)).after;
    }
    return { ...before, version, now: { state: confirmed.state, names: now.names } };
  }

  #isMerged(operation: AnyOperation): operation is MergeOperation {
    const { threadId, incarnation } = this.#context.branch;
    if (!isMerge(operation) || operation.branch !== threadId) return false;
    // A branch of that name that is gone merged changes of its own.
    return operation.source?.branch === undefined || operation.source.branch === incarnation;
  }

  /** What a commit of the parent did, with the names of what it merged. */
  #rename(lines: readonly Line[], { operation }: Commit, effect: Effect): Effect {
    const change = this.#isMerged(operation) ? firstEffect(lines, operation.change) : undefined;
    return change === undefined ? effect : withBranchNames(effect, change);
  }

  async #read(known: Head, floor: number, pace: Pace): Promise<Parent> {
    const { definition, log, threadId, branch, scheduler } = this.#context;
    const fork = branch.parent?.version ?? 0;
    // Where another process made the branch, this one may be behind the version of the fork.
    const head = known.version < fork ? await this.#parentAt(fork) : known;
    const { confirmed, version } = head;
    const commits = floor > 0 ? undefined : await readStretch(log, threadId, fork + 1, version, pace);
    if (commits === undefined || "floor" in commits) {
      return { ...byContent(definition, await this.#stateAt(floor), head), floor };
    }
    const before = await stateBefore(definition, { log, threadId, scheduler }, head, commits, pace);
    const start = nameState(before.state);
    const stretch = { definition, branch: undefined, base: start, commits };
    let lines = await readLines(stretch, pace);
    const then = lines.find(({ until }) => until > fork);
    const named = then?.before(fork + 1) ?? start;
    if (commits.some(({ operation }) => this.#isMerged(operation))) {
      const ours = await this.#readBranch({ fork: named, floor }, pace);
      lines = await readLines({ ...stretch, rename: (commit, effect) => this.#rename(ours, commit, effect) }, pace);
    }
    return {
      version,
      floor,
      fork: named,
      now: { state: confirmed.state, names: lines.at(-1)?.end.names ?? start.names },
    };
  }
}

async function hasUndos(log: Log, threadId: string, after: number, version: number, pace: Pace): Promise<boolean> {
  const undos = readMatching(log, threadId, { types: [UNDO], after, before: version + 1 }, pace);
  return (await undos.next()).done !== true;
}

/** Of lines that are held, what counts on the last one. */
async function* counted(
  [first, ...others]: Lines,
  commits: readonly Commit[],
): AsyncGenerator<Counted, void, undefined> {
  const line = others.at(-1) ?? first;
  const undone = excluded(commits);
  for (const commit of commits)
    if (!undone.has(commit.version)) yield { commit, effect: line.effectOf(commit.version) };
}

/** Throws an OpstateError when the log was compacted meanwhile. */
async function* whole(
  pass: ReadingPass,
  { threadId }: ThreadInfo,
  version: number,
  pace: Pace,
): AsyncGenerator<Counted, void, undefined> {
  yield* pass.steps(version, pace);
  if (pass.isBroken)
    throw new OpstateError("compacted", `Thread "${threadId}" was compacted while it was read. Read it again.`);
}

function byContent({ model }: AnyDefinition, base: unknown, { confirmed, version }: Head): Omit<Parent, "floor"> {
  const fork = nameState(base);
  const patches = diff(base, confirmed.state);
  const { after } = effectOf(model, fork, patches, {
    source: "content",
    operation: { type: "content" },
    compared: true,
  });
  return { version, fork, now: { state: confirmed.state, names: after.names } };
}
