// Which proposals are open: read once by the log's index when somebody asks, then kept up with the
// commits as they come.
//
// Invariant: what `undecided` gives is what the log says up to the newest commit that was heard.

import type { Commit } from "../commit.ts";
import type { Log } from "../log/log.ts";
import { isDecision, isPropose, isUndo, PROPOSAL_TYPES, type ProposeOperation } from "../entries.ts";
import { excluded } from "../undo/excluded.ts";

const PAGE = 1_000;

export class ProposalIndex {
  readonly #log: Log;
  readonly #threadId: string;
  readonly #version: () => number;
  #reading: Reading | undefined;

  constructor(log: Log, threadId: string, version: () => number) {
    this.#log = log;
    this.#threadId = threadId;
    this.#version = version;
  }

  hear(commit: Commit): void {
    this.#reading?.hear(commit);
  }

  /** Commits were missed: what is asked for next is read anew. */
  forget(): void {
    this.#reading = undefined;
  }

  /** The commits of the proposals that nobody decided or took back, oldest first. */
  async undecided(): Promise<readonly Commit<ProposeOperation>[]> {
    const reading = (this.#reading ??= new Reading(this.#log, this.#threadId, this.#version()));
    try {
      return await reading.undecided();
    } catch (error) {
      if (this.#reading === reading) this.#reading = undefined;
      throw error;
    }
  }
}

/** The log up to a version, and what was heard since. */
class Reading {
  /** Proposals without a decision, by version. */
  readonly #open = new Map<number, Commit<ProposeOperation>>();
  readonly #undos: Commit[] = [];
  /** What came while the log was read; undefined once it was. */
  #waiting: Commit[] | undefined = [];
  readonly #read: Promise<void>;

  constructor(log: Log, threadId: string, version: number) {
    this.#read = this.#readUpTo(log, threadId, version);
  }

  hear(commit: Commit): void {
    if (this.#waiting === undefined) this.#take(commit);
    else this.#waiting.push(commit);
  }

  async undecided(): Promise<readonly Commit<ProposeOperation>[]> {
    await this.#read;
    const out = excluded(this.#undos);
    return [...this.#open.values()].filter(({ version }) => !out.has(version));
  }

  async #readUpTo(log: Log, threadId: string, version: number): Promise<void> {
    for (let after = 0, more = true; more;) {
      const page = await log.read(threadId, { after, before: version + 1, limit: PAGE, types: PROPOSAL_TYPES });
      for (const commit of page) this.#take(commit);
      after = page.at(-1)?.version ?? after;
      more = page.length === PAGE;
    }
    for (const commit of this.#waiting ?? []) this.#take(commit);
    this.#waiting = undefined;
  }

  #take(commit: Commit): void {
    const { operation } = commit;
    if (isPropose(operation)) this.#open.set(commit.version, { ...commit, operation });
    else if (isDecision(operation)) this.#open.delete(operation.proposedAt);
    else if (isUndo(operation)) this.#undos.push(commit);
  }
}
