// What was stored in one thread, read from the store as it is written, and the verdicts about it.
//
// The states are computed by the reducer, since the parts under test apply patches. Nothing is ever
// removed from the record: a commit that the log loses or changes later is a violation.

import type { Actor, Commit, Log, Verdict } from "@opstate/core";
import type { ApproveOperation } from "@opstate/core/log";
import { isDeepStrictEqual } from "node:util";
import { stateAfter } from "./course.ts";
import { isWithin, type Tally, tally, touched } from "./tally.ts";
import { insist } from "./violation.ts";

interface ReceivedVerdict {
  readonly key: string;
  readonly verdict: Verdict;
}

export class Record {
  readonly commits: Commit[] = [];
  readonly states: Tally[] = [tally.initial];
  readonly #threadId: string;
  readonly #incarnation: string;
  readonly #store: Log;
  /** The version at which each submission has its effect. */
  readonly #effects = new Map<string, number>();
  readonly #final = new Map<string, Verdict>();
  /** The versions of the proposals that were approved or declined. */
  readonly #decided = new Set<number>();
  /** The things that a submission may change. */
  readonly #meant = new Map<string, ReadonlySet<string>>();
  #unchecked: ReceivedVerdict[] = [];
  #reading = Promise.resolve();

  constructor(threadId: string, incarnation: string, store: Log) {
    this.#threadId = threadId;
    this.#incarnation = incarnation;
    this.#store = store;
  }

  get version(): number {
    return this.commits.length;
  }

  /** Notes a verdict that an authority has just given. */
  receive(actor: Actor, id: string, verdict: Verdict): void {
    this.#unchecked.push({ key: keyOf(actor, id), verdict });
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
    for (const commit of await this.#store.read(this.#threadId, { after: this.version }, this.#incarnation)) {
      const key = keyOf(commit.actor, commit.id);
      this.commits.push(commit);
      insist(commit.version === this.version, () => `version ${commit.version} is in the place of ${this.version}`);
      insist(!this.#effects.has(key), () => `${key} has a second effect at version ${commit.version}`);
      insist(
        this.#final.get(key)?.accepted !== false,
        () => `${key} was refused and has an effect at version ${commit.version}`,
      );
      this.#effects.set(key, commit.version);
      const before = this.states.at(-1) ?? tally.initial;
      const after = stateAfter(this.commits, before);
      this.states.push(after);
      const meant = this.#meant.get(key);
      insist(
        meant === undefined || isWithin(touched(before, after), meant),
        () =>
          `${key} was made for ${JSON.stringify([...(meant ?? [])])} and changed others at version ${commit.version}`,
      );
      this.#decide(commit);
    }
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
    const all = await this.#store.read(this.#threadId, { after: 0 }, this.#incarnation);
    const head = (await this.#store.info(this.#threadId))?.version;
    insist(head === this.version, () => `the head is ${head}, not ${this.version}`);
    insist(
      isDeepStrictEqual(all, this.commits.slice(this.version - all.length)),
      () => "the log lost or changed a commit",
    );
  }
}

function keyOf(actor: Actor, id: string): string {
  return `${actor.kind}/${actor.id}/${id}`;
}

function isFinal(verdict: Verdict): boolean {
  return verdict.accepted || (verdict.rejection.code !== "conflict" && verdict.rejection.code !== "needs_approval");
}
