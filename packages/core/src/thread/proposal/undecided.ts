// Which proposals are open: read once by the log's index when it is first needed, then kept up to
// date by the commits as they come.
//
// Invariant: `undecided` gives what the log holds up to the newest commit that was added.

import type { Commit } from "../commit.ts";
import type { Log } from "../log/log.ts";
import { readPages } from "../log/scan.ts";
import { PROPOSAL_TYPES, type ProposeOperation } from "../entries.ts";
import { excluded } from "../undo/excluded.ts";
import { proposalChange } from "./proposal-change.ts";

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

  /** A commit that followed. */
  add(commit: Commit): void {
    this.#reading?.add(commit);
  }

  /** Commits were missed: the log is read again when it is next needed. */
  invalidate(): void {
    this.#reading = undefined;
  }

  /** The commits of the proposals that were neither decided nor undone, oldest first. */
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

/** The log up to a version, and the commits that were added since. */
class Reading {
  /** Proposals without a decision, by version. */
  readonly #open = new Map<number, Commit<ProposeOperation>>();
  readonly #undos: Commit[] = [];
  /** The commits that were added while the log was read; undefined once it is read. */
  #queued: Commit[] | undefined = [];
  readonly #read: Promise<void>;

  constructor(log: Log, threadId: string, version: number) {
    this.#read = this.#readUpTo(log, threadId, version);
  }

  add(commit: Commit): void {
    if (this.#queued === undefined) this.#apply(commit);
    else this.#queued.push(commit);
  }

  async undecided(): Promise<readonly Commit<ProposeOperation>[]> {
    await this.#read;
    const out = excluded(this.#undos);
    return [...this.#open.values()].filter(({ version }) => !out.has(version));
  }

  async #readUpTo(log: Log, threadId: string, version: number): Promise<void> {
    for await (const page of readPages(log, threadId, { before: version + 1, types: PROPOSAL_TYPES }))
      for (const commit of page) this.#apply(commit);
    for (const commit of this.#queued ?? []) this.#apply(commit);
    this.#queued = undefined;
  }

  #apply(commit: Commit): void {
    const change = proposalChange(commit.operation);
    if (change?.kind === "opened") this.#open.set(commit.version, { ...commit, operation: change.operation });
    else if (change?.kind === "decided") for (const version of change.closed) this.#open.delete(version);
    else if (change?.kind === "undone") this.#undos.push(commit);
  }
}
