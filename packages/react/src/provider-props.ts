// What a provider is given: a thread of a client, or, from before there was one, a replica.

import {
  type Actor,
  type AnyDefinition,
  defined,
  type Replica,
  type ReplicaOptions,
  type Transport,
} from "@opstate/core";
import type { PageReplicaOptions, ThreadAccess } from "@opstate/core/feeds";
import type { Client, ClientThread, ThreadOptions } from "@opstate/client";
import type { ReactNode } from "react";

/**
 * A thread of a client; or one that is there already, such as that of `createLocal` or of a branch.
 *
 * The provider follows its props: with another `threadId` or client it switches to that thread, and
 * pending edits of the earlier one are still sent to their own thread. `initial` is the snapshot
 * that the page was rendered from: the first render shows it, and the connection continues from its
 * version.
 */
export type ThreadProviderProps<D extends AnyDefinition> = { readonly children?: ReactNode } & (
  | ({ readonly client: Client; readonly threadId: string; readonly thread?: never } & ThreadOptions<D>)
  | { readonly thread: ClientThread<D>; readonly client?: never }
);

/**
 * A replica, or the options to create one; and `access`, which history, undo and proposals need.
 * All of them may be created while rendering. With another thread, address or actor the provider
 * switches to another replica; pending edits of the earlier one are still sent to their own thread.
 * Only a new replica reads `initial`.
 */
export type ReplicaProviderProps<D extends AnyDefinition> = {
  readonly client?: never;
  readonly thread?: never;
  readonly children?: ReactNode;
  /** `threadClient(options)`, or `accessThread(thread, actor)`. */
  readonly access?: ThreadAccess<D>;
  /**
   * The actor who uses the page. With it, permissions are checked before anything is sent, and
   * `useUndo` has the edits of this actor.
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

export type ProviderProps<D extends AnyDefinition> = ThreadProviderProps<D> | ReplicaProviderProps<D>;

/** The options of the replica that a transport gets. */
export function replicaOptions<D extends AnyDefinition>({
  transport,
  initial,
  actor,
}: Extract<ReplicaProviderProps<D>, { readonly transport: Transport }>): PageReplicaOptions<D> {
  return { transport, ...defined({ snapshot: initial, actor }) };
}
