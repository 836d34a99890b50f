// A thread for one rendering on a server, and for the page until it is hydrated.

import { type AnyDefinition, createReplica, defined, OpstateError } from "@opstate/core";
import { createSource } from "@opstate/core/readable";
import type { ClientThread } from "../client-thread.ts";
import { createClientThread, type ThreadOptions } from "../thread/create-client-thread.ts";
import { createPresence } from "../thread/presence.ts";

/**
 * A thread that shows `initial`, or the definition's initial state, and never connects. Each call
 * makes another one, so two requests to a server cannot share what they render. For bindings.
 *
 * @example
 * ```ts
 * import { detachedThread } from "@opstate/client/binding";
 * import { defineState } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {},
 * });
 *
 * const shown = detachedThread(counter, "visits", { initial: { version: 3, state: { count: 3 } } });
 * shown.getState(); // { count: 3 }
 * shown.sync.getState().status; // "connecting"
 * ```
 */
export function detachedThread<D extends AnyDefinition>(
  definition: D,
  threadId: string,
  { initial }: ThreadOptions<D> = {},
): ClientThread<D> {
  const replica = createReplica({
    definition,
    transport: { connect: () => ({ send: () => undefined, close: () => undefined }) },
    connect: "while watched",
    ...defined({ snapshot: initial }),
  });
  const { presence } = createPresence(
    () => undefined,
    (end) => end,
  );
  return createClientThread<D>({
    threadId,
    replica,
    presence,
    onEdit: () => undefined,
    side: createSource({ ...defined({ actor: initial?.actor }), lost: [] }),
    access: async () => {
      throw new OpstateError("closed", `Thread "${threadId}" is only rendered here.`);
    },
    openThread: (id) => detachedThread(definition, id),
  });
}
