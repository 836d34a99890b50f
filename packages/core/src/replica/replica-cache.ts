// The replicas of a page, one for each thread and way to it. They are kept outside of its component
// tree: a tree that waits may be thrown away and made again.
//
// Invariants: nothing connects by being made or found. A replica is kept while somebody watches it
// or waits for it, and while edits of it have no verdict: a page that goes on to another thread
// leaves its edits to the replica that they were made in. After that it is kept for a moment, in
// which a page that waited for it is put up.

import type { AnyDefinition } from "../definition/definition.ts";
import { createReplica, type ReplicaOptions } from "./create-replica.ts";
import { RefCount } from "./ref-count.ts";
import type { Replica } from "./replica.ts";
import { type Transport, waitsForRetry } from "./transport.ts";

/** What a page's replica is made from. */
export type PageReplicaOptions<D extends AnyDefinition> = Pick<ReplicaOptions<D>, "transport" | "snapshot" | "actor">;

export interface ReplicaCache<D extends AnyDefinition> {
  /**
   * The replica of a transport and actor: the one that there is, or else `made`, or a new one. The
   * newest transport of equal key is the one that the next connection uses.
   */
  get(options: PageReplicaOptions<D>, made?: CachedReplica<D>): Replica<D>;
  /** One that the cache does not know. */
  make(options: PageReplicaOptions<D>): CachedReplica<D>;
}

/** Milliseconds for which a replica that nobody needs is kept. */
const KEPT = 5_000;

/** Replicas that are connected while watched, found again by their transport's key. */
export function createReplicaCache<D extends AnyDefinition>(definition: D): ReplicaCache<D> {
  const kept = new Set<CachedReplica<D>>();
  const make = (options: PageReplicaOptions<D>) => new CachedReplica(definition, options);
  return {
    make,
    get(options, made) {
      for (const each of kept) if (each.isOver()) kept.delete(each);
      const found = [...kept].find((each) => each.isOf(options));
      if (found?.isOlderThan(options.snapshot) === false) return found.take(options.transport);
      if (found !== undefined) kept.delete(found);
      const next = made?.isOf(options) === true && !made.isClosed() ? made : make(options);
      kept.add(next);
      return next.take(options.transport);
    },
  };
}

/** A replica with the key that it is found by. */
export class CachedReplica<D extends AnyDefinition> {
  readonly replica: Replica<D>;
  readonly #key: readonly unknown[];
  readonly #demand: RefCount;
  #transport: Transport;
  #idleSince = Date.now();
  #waiting = false;

  constructor(definition: D, options: PageReplicaOptions<D>) {
    this.#key = keyOf(options);
    this.#transport = options.transport;
    const replica: Replica = createReplica({
      ...options,
      definition: definition as AnyDefinition,
      transport: { connect: (connection) => this.#transport.connect(connection) },
      connect: "while watched",
    });
    this.#demand = new RefCount(
      () => undefined,
      () => void (this.#idleSince = Date.now()),
    );
    const watched = <L>(subscribe: (listener: L) => () => void) => this.#demand.whileSubscribed(subscribe);
    this.replica = {
      ...replica,
      subscribe: watched(replica.subscribe),
      sync: { ...replica.sync, subscribe: watched(replica.sync.subscribe) },
      onCommit: watched(replica.onCommit),
      onRejection: watched(replica.onRejection),
      ready: () => {
        const ready = replica.ready();
        const { ready: isReady, status } = replica.sync.getState();
        if (!isReady && !waitsForRetry(status)) void this.#waitFor(ready);
        return ready;
      },
    } as Replica<D>;
  }

  isOf(options: PageReplicaOptions<D>): boolean {
    const key = keyOf(options);
    return key.length === this.#key.length && key.every((part, index) => Object.is(part, this.#key[index]));
  }

  isClosed(): boolean {
    return this.replica.sync.getState().status === "closed";
  }

  isOver(): boolean {
    return this.isClosed() || (this.#isIdle() && Date.now() - this.#idleSince > KEPT);
  }

  /** Than what a page was rendered from, while nobody needs it. */
  isOlderThan(snapshot: { readonly version: number } | undefined): boolean {
    const { ready, version } = this.replica.sync.getState();
    return snapshot !== undefined && this.#isIdle() && (!ready || version < snapshot.version);
  }

  take(transport: Transport): Replica<D> {
    this.#transport = transport;
    return this.replica;
  }

  #isIdle(): boolean {
    return !this.#demand.wanted && !this.#waiting && this.replica.sync.getState().pending.length === 0;
  }

  async #waitFor(ready: Promise<void>): Promise<void> {
    this.#waiting = true;
    await ready.catch(() => undefined);
    this.#waiting = false;
    this.#idleSince = Date.now();
  }
}

function keyOf({
  transport,
  actor,
}: Pick<PageReplicaOptions<AnyDefinition>, "transport" | "actor">): readonly unknown[] {
  return [actor?.kind, actor?.id, ...(transport.key ?? [transport])];
}
