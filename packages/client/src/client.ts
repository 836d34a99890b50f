// A client: the threads that a page, a worker or a job holds, on one connection.
//
// Invariants:
// - Making a client, or asking it for a thread, opens and sends nothing: both may be done while a
//   page is rendered, on a server too.
// - One id has one thread, of one definition.

import { type Actor, type AnyDefinition, createReplica, defined, OpstateError, type Thread } from "@opstate/core";
import type { ThreadAccess } from "@opstate/core/feeds";
import { createSource } from "@opstate/core/readable";
import { type Right, sameActor } from "@opstate/core/thread";
import type { ClientThread } from "./client-thread.ts";
import { SharedConnection } from "./connection/shared-connection.ts";
import type { Authority } from "./connection/authority.ts";
import { httpAuthority, type HttpAuthorityOptions } from "./connection/http/http-authority.ts";
import { threadsAuthority } from "./connection/threads-authority.ts";
import type { FindThread } from "./connection/threads-carrier.ts";
import { type ClientSide, createClientThread, type InitialSnapshot } from "./thread/create-client-thread.ts";
import { type Kept, KeptThreads } from "./thread/kept-threads.ts";
import { presencePart } from "./thread/presence.ts";

/** Threads of this process: on a server, in tests, in stories. */
export interface ThreadsOptions {
  /** The threads, or what finds one by its id; undefined: there is none. */
  readonly threads: readonly Thread[] | FindThread;
  /** Who submits here. */
  readonly actor: Actor;
  /** Which rights the actor has beyond its own work. Default: those of its kind. */
  readonly allows?: (right: Right, threadId: string) => boolean;
}

/** Threads of a server. */
export interface ServerOptions extends HttpAuthorityOptions {
  /**
   * Who submits, where the page knows it before the server says it, such as from a sign-in. Then
   * edits make their final ids at once. The server decides who it is in any case.
   */
  readonly identity?: Actor | undefined;
}

export type ClientOptions = (ServerOptions | ThreadsOptions) & {
  /** Called with what a listener threw. Default: an unhandled rejection. */
  readonly onError?: (error: unknown) => void;
};

export interface ThreadOptions<D extends AnyDefinition> {
  /**
   * The confirmed state to begin with, such as the one that a server rendered, as `GET
   * /threads/:id` gives it. It counts for a thread that has nothing newer.
   */
  readonly initial?: InitialSnapshot<D> | undefined;
}

export interface Client {
  /**
   * The thread of this id. The same id gives the same object. Throws an OpstateError:
   * `definition_mismatch` when the id was used with another definition, `closed` after `close`.
   */
  thread<D extends AnyDefinition>(definition: D, threadId: string, options?: ThreadOptions<D>): ClientThread<D>;
  /** Tries again at once what waits: lost connections, and threads that were not admitted. */
  retry(): void;
  /** Ends the connection and every thread. Verdicts that have not come are not waited for. */
  close(): void;
}

interface Held extends Kept<ClientThread> {
  close(): void;
}

/**
 * Creates a client.
 *
 * @example
 * ```ts
 * import { createClient } from "@opstate/client";
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const client = createClient({ threads: [thread], actor: { kind: "user", id: "ada" } });
 * const visits = client.thread(counter, "visits");
 * const verdict = visits.dispatch(counter.op.add({ by: 1 }));
 * visits.getState(); // { count: 1 }
 * (await verdict).accepted; // true
 * await visits.undo();
 * visits.getState(); // { count: 0 }
 * client.close();
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const { onError } = options;
  const authority: Authority =
    "url" in options
      ? { ...httpAuthority(options), ...defined({ actor: options.identity }) }
      : threadsAuthority(options);
  const threads = new KeptThreads<ClientThread>();
  const side = createSource<ClientSide>({ ...defined({ actor: authority.actor }), lost: [] }, onError);
  const connection = new SharedConnection(authority.carrier, (actor) => {
    const { actor: before } = side.getState();
    if (before === undefined || !sameActor(actor, before)) side.set({ ...side.getState(), actor })();
  });
  const closers = new WeakMap<ClientThread, () => void>();
  let isClosed = false;

  function create<D extends AnyDefinition>(
    definition: D,
    threadId: string,
    { initial }: ThreadOptions<D>,
  ): ClientThread<D> {
    let isConnected = false;
    const presence = presencePart(
      (value) => connection.show(threadId, value),
      (end) => {
        const release = replica.sync.subscribe(() => undefined);
        return () => {
          end();
          release();
        };
      },
    );
    const transport = connection.transport(threadId, initial?.incarnation, {
      onConnect() {
        threads.keep(threadId, held);
        return undefined;
      },
      onPresence: presence.receive,
    });
    const replica = createReplica({
      definition,
      transport: {
        connect(line) {
          isConnected = true;
          const connected = transport.connect({
            ...line,
            onStatus(status, error) {
              line.onStatus(status, error);
              if (status === "online") presence.showAgain();
            },
          });
          return {
            ...connected,
            close() {
              isConnected = false;
              connected.close();
            },
          };
        },
      },
      connect: "while watched",
      ...defined({ snapshot: initial, actor: side.getState().actor, onError }),
    });
    const thread = createClientThread<D>({
      threadId,
      replica,
      side,
      presence: presence.presence,
      access: () => authority.access(threadId) as Promise<ThreadAccess<D>>,
      openThread: (id) => client.thread(definition, id),
    });
    const held: Held = {
      thread,
      isInUse: () => isConnected || replica.sync.getState().pending.length > 0,
      close: replica.close,
    };
    closers.set(held.thread, replica.close);
    threads.keep(threadId, held);
    return thread;
  }

  const client: Client = {
    thread(definition, threadId, threadOptions = {}) {
      if (isClosed) throw new OpstateError("closed", "This client is closed. Create another one.");
      const known = threads.get(threadId);
      if (known === undefined) return create(definition, threadId, threadOptions);
      if (known.definition !== definition) throw otherDefinition(threadId, known.definition, definition);
      return known as unknown as ReturnType<typeof create<typeof definition>>;
    },
    retry: () => connection.retry(),
    close() {
      if (isClosed) return;
      isClosed = true;
      for (const thread of threads.values()) closers.get(thread)?.();
      connection.close();
    },
  };
  return client;
}

function otherDefinition(threadId: string, known: AnyDefinition, asked: AnyDefinition): OpstateError {
  const which =
    known.name === asked.name
      ? `another definition that is also named "${asked.name}": define it once, outside of any component, and import it`
      : `the definition "${known.name}", not "${asked.name}"`;
  return new OpstateError("definition_mismatch", `Thread "${threadId}" of this client has ${which}.`);
}
