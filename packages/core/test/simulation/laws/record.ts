// What was stored in one thread, read from the store as it is written, and the verdicts about it.
//
// The states are computed by the reducer, since the parts under test apply patches. Nothing is ever
// removed from the record: a commit that the log loses or changes later is a violation. What is
// merged is compared with what was done on the branch, by the record of that.

import type { Actor, Commit, Log, Verdict } from "@opstate/core";
import { type ApproveOperation, hasVersion, type MergeOperation, type UndoOperation } from "@opstate/core/log";
import { isDeepStrictEqual } from "node:util";
import { type Beginning, counts, type Deed, deedOf, isRefolded, stateAfter } from "./course.ts";
import { checkAgain, checkSum, type Did, didOf } from "./ledger.ts";
import { isWithin, type Tally, tally, touched } from "../tally.ts";
import { insist } from "./violation.ts";

interface ReceivedVerdict {
  readonly key: string;
  readonly verdict: Verdict;
}

export interface RecordOptions {
  readonly threadId: string;
  readonly incarnation: string;
  readonly store: Log;
  /** Of a branch: the state that it begins with. */
  readonly beginning?: Tally;
  /** Of the thread: the record of a branch, by its id. */
  readonly branch?: (id: string) => Record | undefined;
}

/** The owner of the ids of merges, no matter who merges. */
const OPSTATE: Actor = { kind: "system", id: "opstate" };

export class Record {
  readonly commits: Commit[] = [];
  readonly states: Tally[];
  /**
   * By version: what each card was born by. Cards of one id are one thing when that is the same: a
   * change that is merged again bears the very card, an undo that brings a card back bears another.
   */
  readonly births: ReadonlyMap<string, string>[] = [new Map()];
  readonly threadId: string;
  readonly #options: RecordOptions;
  readonly #beginning: Beginning;
  /** What each commit did, by its place; undefined: nothing by itself. */
  readonly #done: ({ readonly did: Did; readonly deed: Deed } | undefined)[] = [];
  /** Whether the reducer alone leads to the state after an undo. */
  #refolds = true;
  /** The version at which each submission has its effect. */
  readonly #effects = new Map<string, number>();
  readonly #final = new Map<string, Verdict>();
  /** The versions of the proposals that were approved or declined. */
  readonly #decided = new Set<number>();
  /** The things that a submission may change. */
  readonly #meant = new Map<string, ReadonlySet<string>>();
  #unchecked: ReceivedVerdict[] = [];
  #reading = Promise.resolve();

  constructor(options: RecordOptions) {
    const { threadId, incarnation, beginning } = options;
    this.threadId = threadId;
    this.#options = options;
    this.states = [beginning ?? tally.initial];
    this.#beginning = beginning === undefined ? { state: tally.initial } : { state: beginning, branch: incarnation };
  }

  get version(): number {
    return this.commits.length;
  }

  /** Notes a verdict that an authority has just given. */
  receive(actor: Actor, id: string, verdict: Verdict): void {
    this.#unchecked.push({ key: keyOf(actor, id), verdict });
  }

  /** Notes the verdict of one merged change. A refused one may be merged later. */
  receiveMerge(verdict: Verdict): void {
    if (verdict.accepted && verdict.commit !== undefined) this.receive(OPSTATE, verdict.commit.id, verdict);
  }

  /** The versions of what was done and counts, undos and notes left out. */
  changes(): readonly number[] {
    return this.commits.flatMap((commit, index) =>
      this.#done[index] !== undefined && counts(commit, this.commits) ? [commit.version] : [],
    );
  }

  /**
   * The versions at which a change of a branch was merged, and the newest that was not
   * undone.
   */
  mergesOf(branch: string, change: number): { readonly all: readonly number[]; readonly inForce?: number } {
    const merges = this.commits.filter((commit) => mergeOf(commit, branch, change));
    const inForce = merges.findLast((commit) => counts(commit, this.commits))?.version;
    return { all: merges.map(({ version }) => version), ...(inForce === undefined ? {} : { inForce }) };
  }

  /** Notes what a submission was made for, as its page showed it. */
  expect(actor: Actor, id: string, things: ReadonlySet<string>): void {
    this.#meant.set(keyOf(actor, id), things);
  }

  effectOf(actor: Actor, id: string): number | undefined {
    return this.#effects.get(keyOf(actor, id));
  }

  /** Reads what was written, one call after the other. After a violation all later calls reject. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readNew());
    return this.#reading;
  }

  /** Versions are contiguous. An id has one effect, and none after a refusal. */
  async #readNew(): Promise<void> {
    const { store, threadId, incarnation } = this.#options;
    for (const commit of await store.read(threadId, { after: this.version }, incarnation)) {
      const key = keyOf(commit.operation.type === "$merge" ? OPSTATE : commit.actor, commit.id);
      this.commits.push(commit);
      insist(commit.version === this.version, () => `version ${commit.version} is in the place of ${this.version}`);
      insist(!this.#effects.has(key), () => `${key} has a second effect at version ${commit.version}`);
      insist(
        this.#final.get(key)?.accepted !== false,
        () => `${key} was refused and has an effect at version ${commit.version}`,
      );
      this.#effects.set(key, commit.version);
      const before = this.states.at(-1) ?? tally.initial;
      this.#refolds &&= isRefolded(commit, this.#beginning.branch);
      const after = stateAfter(this.commits, before, this.#beginning, this.#refolds);
      this.states.push(after);
      this.#checkDone(commit, before, after);
      const meant = this.#meant.get(key);
      insist(
        meant === undefined || isWithin(touched(before, after), meant),
        () =>
          `${key} was made for ${JSON.stringify([...(meant ?? [])])} and changed others at version ${commit.version}`,
      );
      this.#decide(commit);
    }
  }

  #checkDone(commit: Commit, before: Tally, after: Tally): void {
    const deed = deedOf(commit, this.#beginning.branch);
    const did = didOf(before, after);
    this.#done.push(deed && { did, deed });
    this.#noteBirths(did, deed === undefined ? `version ${commit.version}` : sourceOf(deed));
    const ids = new Set(after.cards.map(({ id }) => id));
    insist(ids.size === after.cards.length, () => `two cards have one id at version ${commit.version}`);
    if (commit.operation.type === "$merge" && deed !== undefined) this.#checkMerge(commit, deed, before, after);
    if (commit.operation.type !== "$undo" || this.#refolds) return;
    const undos = this.commits.flatMap(({ operation }) =>
      operation.type === "$undo" ? [(operation as UndoOperation).carried ?? []] : [],
    );
    const kept = this.commits.flatMap((each, index) => {
      const done = this.#done[index];
      const carried = undos.some((versions) => hasVersion(versions, each.version));
      return done !== undefined && counts(each, this.commits) ? [{ ...done, carried }] : [];
    });
    checkSum(`the undo of version ${commit.version}`, this.#beginning.state, kept, after);
  }

  #noteBirths({ born, gone }: Did, by: string): void {
    const before = this.births.at(-1) ?? new Map<string, string>();
    if (born.size === 0 && gone.size === 0) return void this.births.push(before);
    const births = new Map(before);
    for (const id of gone) births.delete(id);
    for (const id of born.keys()) births.set(id, by);
    this.births.push(births);
  }

  /** Law 10: what is merged does what it did on the branch, to the same things, once. */
  #checkMerge(commit: Commit, deed: Deed, before: Tally, after: Tally): void {
    const { branch, change } = commit.operation as MergeOperation;
    const what = `the merge of version ${change} of ${branch}`;
    const earlier = this.commits.slice(0, -1);
    const again = earlier.find((each) => mergeOf(each, branch, change) && counts(each, earlier));
    insist(again === undefined, () => `${what} is at version ${again?.version} already`);
    const record = this.#options.branch?.(branch);
    const first = record && record.#done[change - 1];
    insist(first !== undefined, () => `${what}: there is no such change`);
    insist(isDeepStrictEqual(first.deed, deed), () => `${what} is not what was done there`);
    const { carried = false } = commit.operation as MergeOperation;
    const leavesCount = record !== undefined && leavesCountOf(record.commits, change);
    checkAgain(what, first.did, before, after, { deed, carried, leavesCount });
  }

  /** A proposal is approved or declined once. */
  #decide({ version, operation }: Commit): void {
    if (operation.type !== "$approve" && operation.type !== "$decline") return;
    const { proposedAt } = operation as ApproveOperation;
    insist(
      !this.#decided.has(proposedAt),
      () => `the proposal of version ${proposedAt} is decided again at version ${version}`,
    );
    this.#decided.add(proposedAt);
  }

  /** What was acknowledged is stored, and an id never gets two different final verdicts. */
  checkVerdicts(): void {
    for (const { key, verdict } of this.#unchecked) {
      insist(verdict.version <= this.version, () => `${key} got version ${verdict.version} of ${this.version}`);
      if (verdict.accepted && verdict.commit !== undefined)
        insist(
          this.#effects.get(key) === verdict.version,
          () => `${key} was acknowledged at ${verdict.version} and is not stored`,
        );
      if (!isFinal(verdict)) continue;
      const earlier = this.#final.get(key);
      this.#final.set(key, verdict);
      if (!verdict.accepted) insist(!this.#effects.has(key), () => `${key} was refused and has an effect`);
      if (earlier === undefined) continue;
      insist(
        earlier.accepted === verdict.accepted && earlier.version === verdict.version,
        () => `${key} got another verdict than before: ${JSON.stringify([earlier, verdict])}`,
      );
    }
    this.#unchecked = [];
  }

  /** The log has every commit as it was, except those that were compacted. */
  async checkWhole(): Promise<void> {
    const { store, threadId, incarnation } = this.#options;
    const all = await store.read(threadId, { after: 0 }, incarnation);
    const head = (await store.info(threadId))?.version;
    insist(head === this.version, () => `the head is ${head}, not ${this.version}`);
    insist(
      isDeepStrictEqual(all, this.commits.slice(this.version - all.length)),
      () => "the log lost or changed a commit",
    );
  }
}

/** Whether a change leaves the count, as the last undo in force says that kept it otherwise. */
function leavesCountOf(commits: readonly Commit[], change: number): boolean {
  const replays = commits.flatMap((each) => {
    if (each.operation.type !== "$undo" || !counts(each, commits)) return [];
    const { replayed = [] } = each.operation as UndoOperation;
    return replayed.filter(({ version }) => version === change);
  });
  return replays.at(-1)?.patches.every(({ path }) => path !== "/count") === true;
}

function mergeOf({ operation }: Commit, branch: string, change: number): boolean {
  const { branch: of, change: version } = operation as MergeOperation;
  return operation.type === "$merge" && of === branch && version === change;
}

function keyOf(actor: Actor, id: string): string {
  return `${actor.kind}/${actor.id}/${id}`;
}

/** The submission that first said what a commit carries out. */
function sourceOf({ actor, id, branch }: Deed): string {
  return `${keyOf(actor, id)} ${branch ?? ""}`;
}

function isFinal(verdict: Verdict): boolean {
  return verdict.accepted || (verdict.rejection.code !== "conflict" && verdict.rejection.code !== "needs_approval");
}
