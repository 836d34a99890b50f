// A client on an authority: its threads, its connection, and what is kept of them.
//
//   ClientThread ─ Replica ─ SharedConnection ─ Carrier
//                     └───── ThreadStore ─ ClientStorage      after each message and each edit
//
// Invariants: those of client.ts.
// (Long because it wires all parts of a client, each of which has a file of its own.)

import {
  type Actor,
  type AnyDefinition,
  createReplica,
  defined,
  OpstateError,
  type Replica,
  type Transport,
} from "@opstate/core";
import { createSource } from "@opstate/core/readable";
import { sameActor } from "@opstate/core/thread";
import { asError } from "./as-error.ts";
import type { Client } from "./client.ts";
import type { ClientThread } from "./client-thread.ts";
import type { Authority } from "./connection/authority.ts";
import { SharedConnection } from "./connection/shared-connection.ts";
import type { Session } from "./session.ts";
import type { StoreOwner } from "./storage/store-owner.ts";
import type { Stores } from "./storage/stores.ts";
import type { ThreadStore } from "./storage/thread-store.ts";
import { UnloadGuard } from "./storage/unload-guard.ts";
import type { TabPorts } from "./tabs/ports.ts";
import type { ThreadAccess } from "./thread-access.ts";
import { type ClientSide, createClientThread, type ThreadOptions } from "./thread/create-client-thread.ts";
import { type Kept, KeptThreads } from "./thread/kept-threads.ts";
import { mergeReadables } from "./thread/merge-readables.ts";
import { createPresence } from "./thread/presence.ts";

export interface ClientOnOptions {
  /** The same each time; undefined: nothing is kept. */
  readonly loadStores?: (() => Promise<Stores>) | undefined;
  /** Whether the page itself is the authority, so that nothing has to be confirmed. */
  readonly isLocal: boolean;
  /** Gets the versions of the definitions that are used. */
  readonly definitions?: Record<string, number>;
  /** Of the server, where other tabs may share the session. */
  readonly url?: string | undefined;
  /** Where those tabs are. Default: the browser. */
  readonly ports?: TabPorts | undefined;
  readonly onError: ((error: unknown) => void) | undefined;
}

type Identity = Pick<ClientSide, "actor" | "isUnconfirmed">;

/** A thread, and what the client does with it. */
interface Held extends Kept<ClientThread> {
  readonly thread: ClientThread;
  store(): ThreadStore | undefined;
  refresh(initial: ThreadOptions<AnyDefinition>["initial"]): void;
  close(): void;
}

export function clientOn(authority: Authority, options: ClientOnOptions): Client {
  const { loadStores, isLocal, definitions = {}, onError } = options;
  const threads = new KeptThreads<ClientThread, Held>();
  const identity = createSource<Identity>(
    authority.actor === undefined ? {} : { actor: authority.actor, ...(!isLocal && { isUnconfirmed: true }) },
    onError,
  );
  const connection = new SharedConnection(authority.carrier, confirm);
  // Without a store, edits that only this page has are lost with it, as a person expects.
  const guard = isLocal && loadStores === undefined ? undefined : new UnloadGuard();
  /** Once they are loaded. */
  let owner: StoreOwner | undefined;
  let session: Promise<Session> | undefined;
  let isClosed = false;

  function loadSession(): Promise<Session> {
    session ??= import("./session.ts").then(({ createSession }) =>
      createSession({ identity, connection, loadStores, threads, owner: () => owner, close: client.close }, options),
    );
    return session;
  }

  /** The authority says who is connected, with each connection. */
  function confirm(actor: Actor): void {
    const { actor: before, isUnconfirmed } = identity.getState();
    const isKnown = before !== undefined && sameActor(actor, before);
    const isOther = owner?.confirm(actor) === true;
    for (const { store } of threads.values()) {
      if (isOther) store()?.lose();
      store()?.begin();
    }
    if (isKnown && isUnconfirmed !== true) return;
    owner?.remember(actor);
    identity.set({ actor })();
  }

  /** The actor may have been confirmed before the stores were loaded. */
  function takeOwner(loaded: StoreOwner): void {
    if (owner !== undefined) return;
    owner = loaded;
    owner.onSignedOut = () => void loadSession().then(({ end }) => end());
    const { actor, isUnconfirmed } = identity.getState();
    if (actor === undefined || isLocal || isUnconfirmed === true) return;
    owner.confirm(actor);
    owner.remember(actor);
  }

  function create<D extends AnyDefinition>(
    definition: D,
    threadId: string,
    { initial }: ThreadOptions<D>,
  ): Held & { readonly thread: ClientThread } {
    definitions[definition.name] = definition.version;
    let isConnected = false;
    const beside = createSource<Pick<ClientSide, "lost" | "storage">>({ lost: [] }, onError);
    const side = mergeReadables(identity, beside);
    let store: ThreadStore | undefined;
    let loading: Promise<void> | undefined;

    /** Resolves when the stored edits are in their places, or cannot be. */
    async function load(stores: () => Promise<Stores>): Promise<void> {
      try {
        const { owner: found, open } = await stores();
        takeOwner(found);
        store ??= open({
          threadId,
          definition,
          replica: () => replica,
          isLocal,
          onLost: (edits) => beside.set({ ...beside.getState(), lost: [...beside.getState().lost, ...edits] })(),
          onFailure: reportFailure,
        });
        await store.load();
      } catch (error) {
        // Its code could not be loaded. The next connection tries again.
        loading = undefined;
        reportFailure(asError(error));
      }
      showOwner();
    }

    function reportFailure(error: Error | undefined): void {
      const before = beside.getState();
      if (before.storage !== error) beside.set(defined({ ...before, storage: error }))();
      updateGuard();
    }

    /** After whatever may have changed: an edit, a message, a status, a saved edit. */
    function check(): void {
      store?.check();
      updateGuard();
    }

    function updateGuard(): void {
      const { pending, version } = replica.sync.getState();
      const hasEdits = pending.length > 0 || (isLocal && version > 0);
      guard?.update(threadId, hasEdits && store?.keepsAll() !== true);
    }

    const watched = (end: () => void): (() => void) => {
      const release = replica.sync.subscribe(() => undefined);
      return () => {
        end();
        release();
      };
    };
    const presence = createPresence((value) => connection.show(threadId, value), watched);
    const inner = connection.transport(threadId, initial?.incarnation, {
      onConnect() {
        threads.keep(threadId, held);
        // Another tab may end it.
        if (options.url !== undefined) loadSession().catch(() => (session = undefined));
        if (loadStores !== undefined) loading ??= load(loadStores);
        return store?.isLoaded === true ? undefined : loading;
      },
      onPresence: presence.receive,
    });
    const transport: Transport = {
      connect(line) {
        isConnected = true;
        const connected = inner.connect({
          ...line,
          onMessage(message) {
            if (message.type === "commits") store?.note(message.commits);
            line.onMessage(message);
            check();
          },
          onStatus(status, error) {
            line.onStatus(status, error);
            if (status === "online") presence.showAgain();
            if (status === "forbidden" || status === "not_found") store?.dropSnapshot();
            check();
          },
        });
        return {
          ...connected,
          close() {
            isConnected = false;
            connected.close();
            store?.flush();
          },
        };
      },
    };
    const replica: Replica<D> = createReplica({
      definition,
      transport,
      connect: "while watched",
      ...defined({ snapshot: initial, actor: identity.getState().actor, onError }),
    });
    const thread = createClientThread<D>({
      threadId,
      replica,
      side,
      presence: presence.presence,
      onEdit: check,
      access: () => authority.access(threadId, () => side.getState().actor) as Promise<ThreadAccess<D>>,
      openThread: (id) => client.thread(definition, id),
    });
    const held: Held = {
      thread,
      store: () => store,
      isInUse: () => isConnected || replica.sync.getState().pending.length > 0,
      // A thread that is in use gets what is newer from its authority.
      refresh(newer) {
        if (newer !== undefined && !held.isInUse()) (replica as Replica).restore({ snapshot: newer });
      },
      close() {
        store?.flush();
        replica.close();
      },
    };
    threads.keep(threadId, held);
    return held;
  }

  /** The actor who was connected last is shown as such, until the server says who it is. */
  function showOwner(): void {
    if (owner?.actor === undefined || identity.getState().actor !== undefined) return;
    identity.set(defined({ actor: owner.actor, isUnconfirmed: owner.isConfirmed ? undefined : true }))();
  }

  const client: Client = {
    thread<D extends AnyDefinition>(definition: D, threadId: string, threadOptions: ThreadOptions<D> = {}) {
      const known = threads.get(threadId);
      // What a page shows of a closed client stays, until the page is another one.
      if (isClosed && !known) throw new OpstateError("closed", "This client is closed.");
      const held = known ?? create(definition, threadId, threadOptions);
      if (held.thread.definition !== definition) throw otherDefinition(threadId, held.thread.definition, definition);
      known?.refresh(threadOptions.initial);
      // The definition is the same, so the types are.
      return held.thread as unknown as ClientThread<D>;
    },
    retry: () => connection.retry(),
    disconnect: () => connection.disconnect(),
    connect: () => connection.connect(),
    signOut: async (given) => (await loadSession()).signOut(given),
    close() {
      if (isClosed) return;
      isClosed = true;
      guard?.end();
      void session?.then((opened) => opened.close());
      for (const held of threads.values()) held.close();
      connection.close();
    },
  };
  return client;
}

function otherDefinition(threadId: string, known: AnyDefinition, requested: AnyDefinition): OpstateError {
  const which =
    known.name === requested.name ? "another of that name: define it once, outside of components" : `"${known.name}"`;
  return new OpstateError(
    "definition_mismatch",
    `Thread "${threadId}" is not of the definition "${requested.name}", but of ${which}.`,
  );
}
