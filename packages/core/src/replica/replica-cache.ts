// The replicas of a page, one for each transport key and actor. They are kept outside of the
// component tree, because a suspended tree may be thrown away and made again.
//
// Invariants:
// - Creating or finding a replica does not connect it.
// - A replica is kept while it has a subscriber, while a caller waits for it, and while its edits
//   have no verdict. A page that switches to another thread leaves the edits to their replica.
// - After that it is kept for `KEEP_MS`, in which a suspended page may mount.

import type { AnyDefinition } from "../definition/definition.ts";
import { createReplica, type ReplicaOptions } from "./create-replica.ts";
import { RefCount } from "./ref-count.ts";
import type { Replica } from "./replica.ts";
import { type Transport, waitsForRetry } from "./transport.ts";

/** The options of a page's replica. */
export type PageReplicaOptions<D extends AnyDefinition> = Pick<ReplicaOptions<D>, "transport" | "snapshot" | "actor">;

export interface ReplicaCache<D extends AnyDefinition> {
  /**
   * The replica of a transport and actor: the cached one, or else `created`, or a new one. The next
   * connection uses the newest transport of equal key.
   */
  get(options: PageReplicaOptions<D>, created?: CachedReplica<D>): Replica<D>;
  /** A new replica that is not put into the cache. */
  create(options: PageReplicaOptions<D>): CachedReplica<D>;
}

/** Milliseconds for which an unused replica is kept. */
const KEEP_MS = 5_000;

/** Replicas that are connected while they are used, found again by their transport's key. */
export function createReplicaCache<D extends AnyDefinition>(definition: D): ReplicaCache<D> {
  const cached = new Set<CachedReplica<D>>();
  const create = (options: PageReplicaOptions<D>) => new CachedReplica(definition, options);
  return {
    create,
    get(options, created) {
      for (const each of cached) if (each.isExpired()) cached.delete(each);
      const found = [...cached].find((each) => each.matches(options));
      if (found?.isOlderThan(options.snapshot) === false) return found.use(options.transport);
      if (found !== undefined) cached.delete(found);
      const next = created?.matches(options) === true && !created.isClosed() ? created : create(options);
      cached.add(next);
      return next.use(options.transport);
    },
  };
}

/** A replica and its key in the cache. */
export class CachedReplica<D extends AnyDefinition> {
  readonly replica: Replica<D>;
  readonly #key: readonly unknown[];
  readonly #refCount: RefCount;
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
    this.#refCount = new RefCount(
      () => undefined,
      () => {
        this.#idleSince = Date.now();
      },
    );
    const watched = <L>(subscribe: (listener: L) => () => void) => this.#refCount.whileSubscribed(subscribe);
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

  matches(options: PageReplicaOptions<D>): boolean {
    const key = keyOf(options);
    return key.length === this.#key.length && key.every((part, index) => Object.is(part, this.#key[index]));
  }

  isClosed(): boolean {
    return this.replica.sync.getState().status === "closed";
  }

  isExpired(): boolean {
    return this.isClosed() || (this.#isIdle() && Date.now() - this.#idleSince > KEEP_MS);
  }

  /** Whether an unused replica is older than the snapshot that a page was rendered from. */
  isOlderThan(snapshot: { readonly version: number } | undefined): boolean {
    const { ready, version } = this.replica.sync.getState();
    return snapshot !== undefined && this.#isIdle() && (!ready || version < snapshot.version);
  }

  use(transport: Transport): Replica<D> {
    this.#transport = transport;
    return this.replica;
  }

  #isIdle(): boolean {
    return !this.#refCount.inUse && !this.#waiting && this.replica.sync.getState().pending.length === 0;
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
