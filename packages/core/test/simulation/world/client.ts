// The page of one user: a replica, its line, what it showed and the verdicts it got. A page may be
// loaded again.
//
// Checked here:
// - The view is the confirmed state with the pending operations applied to it, without those whose
//   card is there already.
// - Versions never decrease.
// - Every change of the view is announced to listeners.
// - A mark of the user that was visible once stays visible (no flicker).
// - Every edit gets its verdict.
// - A pending edit changes the things that it changed at first, or is not in the view (law 10).

import type { Actor, PendingOperation, Replica, Thread, Verdict } from "@opstate/core";
import type { Submission } from "@opstate/core/transport";
import { isApart, isWithin, sameTally, type Tally, tally, touched } from "../tally.ts";
import { PAGE_BUILD } from "../page-build.ts";
import type { Parts } from "../parts.ts";
import type { Record } from "../laws/record.ts";
import { insist } from "../laws/violation.ts";
import { Wire } from "./wire.ts";

interface Edited {
  readonly update: unknown;
  readonly expectedVersion: number | undefined;
  verdict: Verdict | undefined;
  /**
   * The things that it may change: `"next"` are those that it changes first. Undefined: only the
   * authority checks it.
   */
  meant: ReadonlySet<string> | "next" | undefined;
  /** What its cards were born by, from the first version on in which they are. */
  readonly born: Map<string, string>;
  /** The cards of those that are gone, or have the id of one of those. */
  others: ReadonlySet<string>;
  /** The version up to which its things were followed. */
  followed: number;
}

/** Whether replicas know a thing by the submission that bore it: not those of the page's build. */
const FOLLOWS_NAMES = !process.execArgv.includes(PAGE_BUILD);

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
  /** Edits that wait for their verdict, or have it, by id. */
  readonly #edits = new Map<string, Edited>();
  readonly #shown = new Set<string>();
  /** The faults that a listener found. An error thrown there would not end the run. */
  #faults: string[] = [];
  #seen: unknown;
  #version = 0;
  #following: string | undefined;
  /** The version of the state that the page was given last. */
  #given = 0;
  #folded = new WeakMap<Tally, Map<unknown, Tally>>();
  #checked: { readonly view: unknown; readonly sync: unknown; readonly following: unknown } | undefined;

  constructor(options: ClientOptions) {
    this.actor = options.actor;
    this.#options = options;
    [this.wire, this.#replica] = this.#load([], false);
  }

  get state(): Tally {
    return this.#replica.getState();
  }

  /**
   * Loads another page of the same user: with the pending edits if the old page `keeps` them, and
   * with a state from the server if it is `primed`.
   */
  reload(keeps: boolean, primed: boolean): void {
    const pending = this.#replica.sync.getState().pending;
    this.#replica.close();
    this.wire.cut();
    const kept = new Set(keeps ? pending.map(({ id }) => id) : []);
    for (const [id, { verdict }] of this.#edits) if (verdict === undefined && !kept.has(id)) this.#edits.delete(id);
    [this.wire, this.#replica] = this.#load(keeps ? pending : [], primed);
    for (const { id, operation, expectedVersion } of keeps ? pending : [])
      this.#dispatch(id, operation, expectedVersion, false);
  }

  #load(pending: readonly Submission[], primed: boolean): [Wire, Replica<typeof tally>] {
    const { actor, copies, parts, records } = this.#options;
    const thread = this.#options.thread();
    const { incarnation, version } = thread;
    const wire = new Wire({
      actor,
      thread,
      copies,
      onVerdict: (id, verdict, incarnation) => records.get(incarnation)?.receive(actor, id, verdict),
      onSnapshot: (deliver) => this.#onSnapshot(deliver),
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
    this.#given = primed ? version : 0;
    this.#shown.clear();
    this.#seen = replica.getState();
    replica.subscribe((state, previous) => {
      if (replica !== this.#replica) return;
      if (previous !== this.#seen) this.#faults.push("a state was not announced");
      if (state !== replica.getState()) this.#faults.push("the announced state is not the current one");
      this.#seen = state;
      this.#look();
    });
    return [wire, replica];
  }

  edit(id: string, update: unknown, expects: boolean): void {
    this.#dispatch(id, update, expects ? this.#replica.sync.getState().version : undefined);
  }

  /** Things are not followed over a snapshot. */
  #onSnapshot(deliver: () => void): void {
    const { version, ready } = this.#replica.sync.getState();
    const pending = this.#replica.sync.getState().pending;
    // What is shown after it says already which thread that is.
    const followed = this.#following;
    deliver();
    const now = this.#replica.sync.getState();
    if (ready && now.version === version && followed === this.wire.following) return;
    this.#given = now.version;
    if (!ready) return;
    for (const { id } of pending) {
      const edited = this.#edits.get(id);
      if (edited !== undefined) edited.meant = undefined;
    }
  }

  #dispatch(id: string, update: unknown, expectedVersion: number | undefined, isNew = true): void {
    const before = this.#replica.getState();
    const edited: Edited = {
      update,
      expectedVersion,
      verdict: undefined,
      meant: isNew ? "next" : undefined,
      born: new Map(),
      others: new Set(),
      followed: this.#replica.sync.getState().version,
    };
    this.#edits.set(id, edited);
    void this.#replica.submit(update, expectedVersion === undefined ? { id } : { id, expectedVersion }).then(
      (verdict) => (edited.verdict = verdict),
      () => undefined,
    );
    const { ready, pending } = this.#replica.sync.getState();
    if (!isNew || !ready || !pending.some((each) => each.id === id)) return;
    const meant = touched(before, this.#replica.getState());
    edited.meant = meant;
    const { following } = this.wire;
    if (following !== undefined && pending.some((each) => each.id === id && each.basedOn !== undefined))
      this.#options.records.get(following)?.expect(this.actor, id, meant);
  }

  /** No flicker: a mark of the user that was visible once stays, as long as the thread does. */
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

  /** Law 9, after every step. Nothing changed when no reference did. */
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
    insist(view === this.#seen, () => `${id}: a change of the view was not announced`);
    if (following === undefined) return;
    const { states = [], births = [] } = this.#options.records.get(following) ?? {};
    insist(version < states.length, () => `${id} confirmed version ${version} of ${states.length - 1}`);
    for (const entry of pending) this.#follow(entry.id, births, version);
    let expected = states[version] ?? tally.initial;
    for (const entry of pending) expected = this.#after(expected, entry);
    insist(
      sameTally(view, expected),
      () =>
        `${id}: the view at ${version} is ${JSON.stringify(view)}, pending over confirmed is ${JSON.stringify(expected)}`,
    );
  }

  /**
   * A card that was removed and came back is the same thing when the same submission bears it. Not
   * where the page does not know what bore it: in a state that it was given, and on the page's
   * build, which follows no names.
   */
  #follow(id: string, births: Record["births"], version: number): void {
    const edited = this.#edits.get(id);
    if (edited === undefined) return;
    const { meant, born, followed } = edited;
    const cards: ReadonlySet<string> = meant instanceof Set ? meant : new Set();
    const isGiven = (card: string, before: number): boolean =>
      births.slice(this.#given, before).every((at) => at.has(card));
    for (const [index, at] of births.slice(followed, version + 1).entries())
      for (const card of cards) {
        const by = at.get(card);
        if (by !== undefined && !born.has(card)) born.set(card, by);
        else if (by === undefined && born.has(card) && (!FOLLOWS_NAMES || isGiven(card, followed + index)))
          born.set(card, "gone");
      }
    const now = births[version];
    edited.others = new Set([...born].flatMap(([card, by]) => (now?.get(card) === by ? [] : [card])));
    edited.followed = version;
  }

  /** The state after an operation, computed once for the same two objects, which never change. */
  #after(state: Tally, { id, operation, at }: PendingOperation): Tally {
    const known = this.#folded.get(state) ?? new Map<unknown, Tally>();
    this.#folded.set(state, known);
    const next = known.get(operation) ?? tally.transition(state, operation, { actor: this.actor, id, at }).state;
    known.set(operation, next);
    // A snapshot has the card that it puts there: it got to the authority, and the answer was lost.
    if (new Set(next.cards.map((card) => card.id)).size < next.cards.length) return state;
    const edited = this.#edits.get(id);
    if (edited?.meant === undefined) return next;
    if (edited.meant === "next") edited.meant = touched(state, next);
    const changed = touched(state, next);
    return isWithin(changed, edited.meant) && isApart(changed, edited.others) ? next : state;
  }

  /** When nothing is under way: the page is up to date, and every edit has its verdict. */
  checkEnd(record: Record): void {
    const { actor } = this;
    const { status, version, pending } = this.#replica.sync.getState();
    insist(
      status === "online" && version === record.version && pending.length === 0,
      () => `${actor.id} ends ${status} at version ${version} of ${record.version} with ${pending.length} pending`,
    );
    insist(
      sameTally(this.#replica.getState(), record.states.at(-1) ?? tally.initial),
      () => `${actor.id} does not end with the state of the thread`,
    );
    for (const [id, { verdict }] of this.#edits) {
      insist(verdict !== undefined, () => `${id} got no verdict`);
      const effect = record.effectOf(actor, id);
      if (effect === undefined) continue;
      insist(
        verdict.accepted && verdict.version === effect,
        () => `${id} has an effect at ${effect} and got ${JSON.stringify(verdict)}`,
      );
    }
    this.#replica.close();
  }
}
