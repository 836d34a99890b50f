// What this node knows of who owns which thread, and its own lease.
//
//   renew every third of a lease ──> who else is there ──> what should be another's is handed over
//   ownerOf(thread) ── known? ── stored? ── free: given to the preferred node
//
// Invariants:
// - What is known here may be old. The epoch in the append decides, and the receiving node itself.
// - Time is the database's: here it is only carried on between two renewals.
// - A node that is gone, by its lease, is known here at once when the lease is over.
//
// (Long because who is there decides who owns what.)

import { OpstateError } from "@opstate/core";
import { randomId } from "@opstate/core/thread";
import type { LiveNode, OwnedThread, Owner, Ownership } from "../log/ownership.ts";
import { preferredNode } from "./preferred-node.ts";

export interface OwnersOptions {
  readonly ownership: Ownership;
  readonly address: string;
  /** Milliseconds. */
  readonly lease: number;
  /** Gets errors of work in the background. */
  readonly onError: (error: unknown) => void;
  /** Called when this node's lease was over for a while: others may have taken it for gone. */
  readonly onLapsed?: () => void;
  /** Called when the other nodes were looked for. */
  readonly onLooked?: () => void;
}

/** A thread, and the id that says which node it prefers. */
export interface RoutedThread extends OwnedThread {
  readonly rootId: string;
}

/** Owners that are remembered. One that was forgotten is read again. */
const KNOWN_LIMIT = 100_000;
/** Milliseconds: after another's lease should be over, until that is looked at. */
const AFTERWARDS = 5;

export class Owners {
  /** Of this start of the process. */
  readonly id = randomId();
  readonly #options: OwnersOptions;
  readonly #known = new Map<string, Owner>();
  readonly #lookups = new Map<string, Promise<Owner | undefined>>();
  /** Of each incarnation, the newest epoch in which this node owned it. */
  readonly #epochs = new Map<string, number>();
  readonly #goneListeners = new Map<string, Set<() => void>>();
  #nodes: readonly LiveNode[] = [];
  #departures = 0;
  /** The database's time of the last renewal. */
  #renewedAt = Infinity;
  /** From `performance.now` to the database's clock, in milliseconds. */
  #offset = 0;
  #joined: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When it fires, by `performance.now`. */
  #tickAt = Infinity;
  #isDraining = false;
  #hasLeft = false;
  /** The nodes that this one saw at its last renewal, and those that all was handed over to. */
  #seen = "";
  #balanced = "";

  constructor(options: OwnersOptions) {
    this.#options = options;
  }

  /** Milliseconds of the database's clock. */
  now(): number {
    return Math.round(performance.now() + this.#offset);
  }

  /** Begins the lease. It may be called often. */
  join(): Promise<void> {
    if (this.#hasLeft) return Promise.resolve();
    this.#joined ??= this.#renew().catch((error: unknown) => {
      this.#joined = undefined;
      throw error;
    });
    return this.#joined;
  }

  /** The other nodes whose lease runs, as far as is known here. */
  get others(): readonly LiveNode[] {
    return this.#nodes.filter(({ id }) => id !== this.id);
  }

  /** How often nodes were gone since this one is there. */
  get departures(): number {
    return this.#departures;
  }

  /** The ids of the nodes whose lease runs now. */
  async live(): Promise<ReadonlySet<string>> {
    await this.join();
    await this.#renew();
    return new Set(this.#nodes.map(({ id }) => id));
  }

  /** What is known without asking. */
  known({ incarnation }: OwnedThread): Owner | undefined {
    return this.#known.get(incarnation);
  }

  isOwn(owner: Owner | undefined): boolean {
    return owner?.node === this.id;
  }

  /** The epoch that this node's appends carry: of the last time that it owned the thread. */
  epochOf(incarnation: string): number | undefined {
    return this.#epochs.get(incarnation);
  }

  /**
   * Who owns the thread. A free one is given to the node that it prefers. Undefined when there is
   * no such thread any more.
   */
  async ownerOf(thread: RoutedThread): Promise<Owner | undefined> {
    const known = this.known(thread);
    if (known !== undefined) return known;
    const earlier = this.#lookups.get(thread.incarnation);
    if (earlier !== undefined) return earlier;
    const lookup = this.#find(thread).finally(() => this.#lookups.delete(thread.incarnation));
    this.#lookups.set(thread.incarnation, lookup);
    return lookup;
  }

  /** Whether this node owns the thread in that epoch, by what is stored. */
  async owns(thread: OwnedThread, epoch: number): Promise<boolean> {
    const known = this.known(thread);
    if (known !== undefined && this.isOwn(known) && known.epoch === epoch) return true;
    const stored = await this.#options.ownership.ownerOf(thread);
    this.#remember(thread, stored);
    return stored !== undefined && this.isOwn(stored) && stored.epoch === epoch;
  }

  /** What was known of the thread was wrong, unless it is something else by now. */
  forget({ incarnation }: OwnedThread, wrong: Owner | undefined): void {
    const known = this.#known.get(incarnation);
    if (known?.node === wrong?.node && known?.epoch === wrong?.epoch) this.#known.delete(incarnation);
  }

  /** Calls back when the node's lease is over. Returns the function that ends it. */
  onGone(node: string, onGone: () => void): () => void {
    const listeners = this.#goneListeners.get(node) ?? new Set();
    this.#goneListeners.set(node, listeners.add(onGone));
    return () => {
      listeners.delete(onGone);
      if (listeners.size === 0 && this.#goneListeners.get(node) === listeners) this.#goneListeners.delete(node);
    };
  }

  /** Hands all threads over to the other nodes, and accepts no more. It still forwards. */
  async drain(): Promise<void> {
    if (this.#joined === undefined) return;
    this.#isDraining = true;
    await this.#renew();
    await this.#handOver();
  }

  /** Ends its lease: all that it owned is free. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    clearTimeout(this.#timer);
    if (this.#joined === undefined) return;
    await this.#renewing?.catch(() => undefined);
    await this.#options.ownership.leave(this.id);
  }

  async #find(thread: RoutedThread): Promise<Owner | undefined> {
    const { ownership } = this.#options;
    await this.join();
    const stored = await ownership.ownerOf(thread);
    const owner = stored ?? (await this.#give(thread));
    this.#remember(thread, owner);
    return owner;
  }

  async #give(thread: RoutedThread): Promise<Owner | undefined> {
    const { ownership } = this.#options;
    const preferred = preferredNode(this.#nodes, thread.rootId);
    const given = preferred && (await ownership.assign(thread, preferred.id));
    if (given !== undefined) return given;
    // The preferred node is gone, or the thread is. This node's own lease may be over too.
    await this.#renew();
    return ownership.assign(thread, this.id);
  }

  #remember({ incarnation }: OwnedThread, owner: Owner | undefined): void {
    if (owner === undefined) {
      this.#known.delete(incarnation);
      return;
    }
    put(this.#known, incarnation, owner);
    // What was read earlier may come later.
    const newest = Math.max(owner.epoch, this.#epochs.get(incarnation) ?? 0);
    if (this.isOwn(owner)) put(this.#epochs, incarnation, newest);
  }

  /** One renewal at a time. A call during one gets the next. */
  async #renew(): Promise<void> {
    await this.#renewing?.catch(() => undefined);
    this.#renewing ??= this.#renewOnce().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renewOnce(): Promise<void> {
    const { ownership, address, lease } = this.#options;
    if (this.#hasLeft) throw new OpstateError("closed", "This server has left the others.");
    let next = lease / 3;
    try {
      const { now, nodes } = await ownership.renew({ id: this.id, address, isDraining: this.#isDraining }, lease);
      this.#offset = now - performance.now();
      const hasLapsed = now - this.#renewedAt > lease;
      this.#renewedAt = now;
      this.#see(nodes);
      if (hasLapsed) this.#forgetOwn();
      if (hasLapsed) this.#options.onLapsed?.();
      this.#options.onLooked?.();
      for (const { id, left } of nodes) if (id !== this.id) next = Math.min(next, Math.max(0, left) + AFTERWARDS);
    } finally {
      if (!this.#hasLeft) this.#tickWithin(next);
    }
  }

  /** Renewals in between do not put it off: in a tick threads go to those that are to have them. */
  #tickWithin(time: number): void {
    const at = performance.now() + time;
    if (at >= this.#tickAt) return;
    clearTimeout(this.#timer);
    this.#tickAt = at;
    this.#timer = setTimeout(() => void this.#tick(), time).unref();
  }

  async #tick(): Promise<void> {
    this.#tickAt = Infinity;
    try {
      await this.#renew();
      await this.#balance();
    } catch {
      // The log's own calls report it. The next tick tries again.
    }
  }

  #see(nodes: readonly LiveNode[]): void {
    const running = new Set(nodes.map(({ id }) => id));
    const areGone = this.#nodes.some(({ id }) => !running.has(id));
    this.#nodes = nodes;
    if (areGone) this.#departures += 1;
    if (areGone)
      for (const [incarnation, { node }] of this.#known) if (!running.has(node)) this.#known.delete(incarnation);
    for (const [node, listeners] of [...this.#goneListeners])
      if (!running.has(node)) for (const onGone of [...listeners]) onGone();
  }

  /** Once the same nodes are there for two renewals, what prefers another of them goes there. */
  async #balance(): Promise<void> {
    if (this.#isDraining) return;
    const ids = this.#nodes.flatMap(({ id, isDraining }) => (isDraining ? [] : [id]));
    const nodes = ids.toSorted().join(" ");
    const isStable = nodes === this.#seen;
    this.#seen = nodes;
    if (!isStable || nodes === this.#balanced) return;
    await this.#handOver();
    this.#balanced = nodes;
  }

  async #handOver(): Promise<void> {
    const count = await this.#options.ownership.handOver(this.id, (rootId) => preferredNode(this.#nodes, rootId)?.id);
    if (count > 0) this.#forgetOwn();
  }

  #forgetOwn(): void {
    for (const [incarnation, owner] of this.#known) if (this.isOwn(owner)) this.#known.delete(incarnation);
  }
}

/** The oldest goes when there are too many. */
function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= KNOWN_LIMIT) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
