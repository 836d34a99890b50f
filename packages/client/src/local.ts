// The entry `@opstate/client/local`: a thread without a server, by the full engine, in one line.

import {
  type Actor,
  type AnyDefinition,
  defined,
  memoryLog,
  openThread,
  type StateOf,
  type Thread,
} from "@opstate/core";
import { clientOn } from "./client-on.ts";
import type { ClientThread } from "./client-thread.ts";
import { threadsAuthority } from "./connection/threads-authority.ts";
import type { ClientStorage } from "./storage/storage.ts";
import { openStores } from "./storage/stores.ts";

export interface LocalOptions<D extends AnyDefinition> {
  /** Who submits. */
  readonly actor: Actor;
  /** Default: the definition's name. */
  readonly threadId?: string;
  /** The state to begin with, where nothing is stored. Default: the definition's `initial`. */
  readonly initial?: StateOf<D>;
  /**
   * Keeps the state over a reload. The history begins anew. One page at a time: of two that are
   * open together the last one to save wins.
   */
  readonly storage?: ClientStorage | undefined;
  /** Called with what a listener threw. Default: an unhandled rejection. */
  readonly onError?: (error: unknown) => void;
}

/** The scope of what is stored of threads without a server. */
const URL = "local:";

/**
 * A thread of this page alone, with everything that a thread of a server has. It can be read and
 * edited at once; verdicts come as they come from a server.
 *
 * @example
 * ```ts
 * import { createLocal } from "@opstate/client/local";
 * import { defineState } from "@opstate/core";
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
 * const visits = createLocal(counter, { actor: { kind: "user", id: "ada" } });
 * const verdict = visits.dispatch(counter.op.add({ by: 1 }));
 * visits.getState(); // { count: 1 }
 * (await verdict).accepted; // true
 * await visits.undo();
 * visits.getState(); // { count: 0 }
 * ```
 */
export function createLocal<D extends AnyDefinition>(definition: D, options: LocalOptions<D>): ClientThread<D> {
  const {
    actor,
    threadId: id = definition.name,
    initial = definition.initial as StateOf<D>,
    storage,
    onError,
  } = options;
  const log = memoryLog();
  let opened: Promise<Thread> | undefined;

  async function open(): Promise<Thread> {
    // What cannot be read is reported where the edits are loaded.
    const stored = await storage?.load({ url: URL, actor }, id).catch(() => undefined);
    const kept = stored?.snapshot?.definition === definition.name ? stored.snapshot : undefined;
    await log.create({
      threadId: id,
      definition: definition.name,
      definitionVersion: kept?.definitionVersion ?? definition.version,
      state: kept === undefined ? initial : kept.state,
      at: new Date().toISOString(),
    });
    return openThread({ definition, log, threadId: id, ...defined({ onError }) });
  }

  async function find(threadId: string): Promise<Thread | undefined> {
    opened ??= open();
    const thread = await opened;
    return threadId === id ? thread : thread.openBranch(threadId);
  }

  const stores = storage && openStores(storage, URL, actor);
  const client = clientOn(threadsAuthority({ threads: find, actor }), {
    loadStores: stores && (async () => stores),
    isLocal: true,
    onError,
  });
  // With a storage the state is known when it is loaded.
  const known = storage === undefined ? { initial: { version: 0, state: initial } } : {};
  return client.thread(definition, id, known);
}
