// What a context is set to, and the thread or replica that is made of it.

import {
  type Actor,
  type AnyDefinition,
  defined,
  type Replica,
  type ReplicaOptions,
  type Transport,
} from "@opstate/core";
import { createReplicaCache, type PageReplicaOptions, type ReplicaCache, type ThreadAccess } from "@opstate/core/feeds";
import { type Client, type ClientThread, detachedThread, type ThreadOptions } from "@opstate/client";

/**
 * A thread of a client; or one that is there already, such as that of `createLocal` or of a branch.
 * `initial` is the snapshot that the page was rendered from: the first render shows it, and the
 * connection continues from its version.
 */
export type ThreadSetting<D extends AnyDefinition> =
  | ({ readonly client: Client; readonly threadId: string; readonly thread?: never } & ThreadOptions<D>)
  | { readonly thread: ClientThread<D>; readonly client?: never };

export type AgentStateSetting<D extends AnyDefinition> = ThreadSetting<D> | ReplicaSetting<D>;

/**
 * A replica, or the options to create one; and `access`, which history, undo and proposals need.
 */
export type ReplicaSetting<D extends AnyDefinition> = {
  readonly client?: never;
  readonly thread?: never;
  /** `threadClient(options)`, or `accessThread(thread, actor)`. */
  readonly access?: ThreadAccess<D>;
  /**
   * The actor who uses the page. With it, permissions are checked before anything is sent, and
   * `undo` has the edits of this actor.
   */
  readonly actor?: Actor;
} & (
  | { readonly replica: Replica<D> }
  | {
      readonly replica?: never;
      readonly transport: Transport;
      /**
       * The snapshot that the page was rendered from. The first render shows it, and the connection
       * continues from its version.
       */
      readonly initial?: NonNullable<ReplicaOptions<D>["snapshot"]>;
    }
);

/** A setting and what was created from it. A client's thread reads and edits as a replica does. */
export interface Setup<D extends AnyDefinition> {
  readonly setting: AgentStateSetting<D>;
  readonly replica: Replica<D>;
  readonly thread?: ClientThread<D>;
  readonly access?: ThreadAccess<D>;
  readonly actor?: Actor;
  readonly source?: ThreadAccess<D> & Replica<D>;
}

/**
 * Returns a function that gives the setup of the current setting: the same one until the thread,
 * address or actor changes.
 */
export function createSetup<D extends AnyDefinition>(
  definition: D,
  setting: () => AgentStateSetting<D>,
): () => Setup<D> {
  // For one rendering of a page: a thread that is chosen again gets its earlier replica.
  const replicas = createReplicaCache(definition);
  let last: Setup<D> | undefined;
  return () => {
    const now = setting();
    if (last?.setting === now) return last;
    const next = setUp(definition, now, replicas, last);
    if (last !== undefined && isSameSetup(last, next)) return last;
    last = next;
    return last;
  };
}

function setUp<D extends AnyDefinition>(
  definition: D,
  setting: AgentStateSetting<D>,
  replicas: ReplicaCache<D>,
  last: Setup<D> | undefined,
): Setup<D> {
  if (setting.client !== undefined || setting.thread !== undefined) {
    const thread = threadOf(definition, setting, last?.thread);
    // What the context gives out is what both have: reading, editing, and the sync.
    return { setting, thread, replica: thread as unknown as Replica<D> };
  }
  const replica = setting.replica ?? replicas.get(replicaOptions(setting));
  const { access, actor } = setting;
  return { setting, replica, ...defined({ access, actor, source: access && { ...access, ...replica } }) };
}

function threadOf<D extends AnyDefinition>(
  definition: D,
  setting: ThreadSetting<D>,
  last: ClientThread<D> | undefined,
): ClientThread<D> {
  if (setting.thread !== undefined) return setting.thread;
  const { client, threadId } = setting;
  if (typeof document !== "undefined") return client.thread(definition, threadId, setting);
  return last?.threadId === threadId ? last : detachedThread(definition, threadId, setting);
}

function isSameSetup<D extends AnyDefinition>(a: Setup<D>, b: Setup<D>): boolean {
  return (
    a.replica === b.replica &&
    (a.access === undefined) === (b.access === undefined) &&
    a.actor?.kind === b.actor?.kind &&
    a.actor?.id === b.actor?.id
  );
}

function replicaOptions<D extends AnyDefinition>({
  transport,
  initial,
  actor,
}: Extract<ReplicaSetting<D>, { readonly transport: Transport }>): PageReplicaOptions<D> {
  return { transport, ...defined({ snapshot: initial, actor }) };
}
