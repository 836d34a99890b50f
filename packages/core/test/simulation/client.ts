// One user's page: a replica, the line it has, what it showed and what it was told. A page may be
// loaded again.
//
// Checked here: the view is pending over confirmed; versions do not go back; every change of the
// view is told; what a page showed of its own marks stays (no flicker); every edit gets its
// verdict.

import type { Actor, Replica, Thread, Verdict } from "@opstate/core";
import type { Submission } from "@opstate/core/transport";
import { sameTally, type Tally, tally } from "./tally.ts";
import type { Parts } from "./parts.ts";
import type { Record } from "./record.ts";
import { insist } from "./violation.ts";
import { Wire } from "./wire.ts";

interface Edited {
  readonly update: unknown;
  readonly expectedVersion: number | undefined;
  verdict: Verdict | undefined;
}

export interface ClientOptions {
  readonly actor: Actor;
  readonly copies: boolean;
  readonly parts: Parts;
  thread(): Thread;
  /** By incarnation. */
  readonly records: ReadonlyMap<string, Record>;
}

export class Client {
  readonly actor: Actor;
  wire: Wire;
  #replica: Replica<typeof tally>;
  readonly #options: ClientOptions;
  /** Edits whose verdict is asked for, by id. */
  readonly #edits = new Map<string, Edited>();
  readonly #shown = new Set<string>();
  /** What a listener found wrong: an error thrown there would not reach the run. */
  #faults: string[] = [];
  #seen: unknown;
  #version = 0;
  #following: string | undefined;
  #folded = new WeakMap<Tally, Map<unknown, Tally>>();
  #checked: { readonly view: unknown; readonly sync: unknown; readonly following: unknown } | undefined;

  constructor(options: ClientOptions) {
    this.actor = options.actor;
    this.#options = options;
    [this.wire, this.#replica] = this.#load([], false);
  }

  /**
   * Another page of the same user. It has the edits that were pending, if the old one kept them,
   * and a state, if the server sent one along.
   */
  reload(keeps: boolean, primed: boolean): void {
    const pending = this.#replica.sync.getState().pending;
    this.#replica.close();
    this.wire.cut();
    const kept = new Set(keeps ? pending.map(({ id }) => id) : []);
    for (const [id, { verdict }] of this.#edits) if (verdict === undefined && !kept.has(id)) this.#edits.delete(id);
    [this.wire, this.#replica] = this.#load(keeps ? pending : [], primed);
    for (const { id, operation, expectedVersion } of keeps ? pending : [])
      this.#dispatch(id, operation, expectedVersion);
  }

  #load(pending: readonly Submission[], primed: boolean): [Wire, Replica<typeof tally>] {
    const { actor, copies, parts, records } = this.#options;
    const thread = this.#options.thread();
    const { incarnation, version } = thread;
    const wire = new Wire({
      actor,
      thread,
      copies,
      onVerdict: (id, verdict, incarnation) => records.get(incarnation)?.heard(actor, id, verdict),
    });
    if (primed) wire.following = incarnation;
    const replica = parts.createReplica({
      definition: tally,
      transport: wire.transport,
      pending,
      onError: (error) => this.#faults.push(`a listener threw: ${String(error)}`),
      ...(primed && { snapshot: { version, state: thread.getState(), incarnation } }),
    });
    this.#following = undefined;
    this.#version = 0;
    this.#shown.clear();
    this.#seen = replica.getState();
    replica.subscribe((state, previous) => {
      if (replica !== this.#replica) return;
      if (previous !== this.#seen) this.#faults.push("a state was not told");
      if (state !== replica.getState()) this.#faults.push("what is told is not what is there");
      this.#seen = state;
      this.#look();
    });
    return [wire, replica];
  }

  edit(id: string, update: unknown, expects: boolean): void {
    this.#dispatch(id, update, expects ? this.#replica.sync.getState().version : undefined);
  }

  #dispatch(id: string, update: unknown, expectedVersion: number | undefined): void {
    const edited: Edited = { update, expectedVersion, verdict: undefined };
    this.#edits.set(id, edited);
    void this.#replica.submit(update, expectedVersion === undefined ? { id } : { id, expectedVersion }).then(
      (verdict) => (edited.verdict = verdict),
      () => undefined,
    );
  }

  /** No flicker: what a page once showed of its own stays, as long as its thread does. */
  #look(): void {
    const { names } = this.#replica.getState();
    if (this.#following !== this.wire.following) {
      this.#following = this.wire.following;
      this.#version = 0;
      this.#shown.clear();
    }
    for (const mark of this.#shown) if (!names.includes(mark)) this.#faults.push(`${mark} disappeared from the view`);
    for (const name of names) if (name.startsWith(`${this.actor.id} `)) this.#shown.add(name);
  }

  /** Law 9, after every step. Where no reference changed, nothing did. */
  check(): void {
    const { id } = this.actor;
    const view = this.#replica.getState();
    const sync = this.#replica.sync.getState();
    const following = this.wire.following;
    const { version, pending } = sync;
    if (this.#checked?.view === view && this.#checked.sync === sync && this.#checked.following === following) return;
    this.#checked = { view, sync, following };
    this.#look();
    insist(this.#faults.length === 0, () => `${id}: ${this.#faults.join("; ")}`);
    insist(version >= this.#version, () => `${id}: version ${version} came after ${this.#version}`);
    this.#version = version;
    insist(view === this.#seen, () => `${id}: a change of the view was not told`);
    if (following === undefined) return;
    const states = this.#options.records.get(following)?.states ?? [];
    insist(version < states.length, () => `${id} confirmed version ${version} of ${states.length - 1}`);
    let expected = states[version] ?? tally.initial;
    for (const { operation } of pending) expected = this.#after(expected, operation);
    insist(
      sameTally(view, expected),
      () =>
        `${id}: the view at ${version} is ${JSON.stringify(view)}, pending over confirmed is ${JSON.stringify(expected)}`,
    );
  }

  /**
   * What the reducer makes of a state: worked out once for the same two objects, which nobody
   * changes.
   */
  #after(state: Tally, operation: unknown): Tally {
    const known = this.#folded.get(state) ?? new Map<unknown, Tally>();
    this.#folded.set(state, known);
    const next = known.get(operation) ?? tally.transition(state, operation, { actor: this.actor }).state;
    known.set(operation, next);
    return next;
  }

  /**
   * When nothing is under way any more: the page is where the thread is, and every edit has its
   * verdict.
   */
  checkEnd(record: Record): void {
    const { actor } = this;
    const { status, version, pending } = this.#replica.sync.getState();
    insist(
      status === "online" && version === record.version && pending.length === 0,
      () => `${actor.id} is left ${status} at version ${version} of ${record.version} with ${pending.length} pending`,
    );
    insist(
      sameTally(this.#replica.getState(), record.states.at(-1) ?? tally.initial),
      () => `${actor.id} does not end where the thread is`,
    );
    for (const [id, { verdict }] of this.#edits) {
      insist(verdict !== undefined, () => `${id} got no verdict`);
      const effect = record.effectOf(actor, id);
      if (effect === undefined) continue;
      insist(
        verdict.accepted && verdict.version === effect,
        () => `${id} has an effect at ${effect} and was told ${JSON.stringify(verdict)}`,
      );
    }
    this.#replica.close();
  }
}
