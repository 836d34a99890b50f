// The intents of a thread: one object for each.

import type { AnyDefinition } from "@opstate/core";
import type { IntentThread, ThreadIntents } from "./intent.ts";
import { Overlay } from "./overlay.ts";
import { madeOnce } from "./reader.ts";

/**
 * What agents are about to do in a client's thread. The same object for the same thread. Nothing
 * is shown until something feeds it: `followChat`, `followRun`, or `open`.
 *
 * @example
 * ```ts
 * import { createLocal } from "@opstate/client";
 * import { intentsOf } from "@opstate/client/intents";
 * import { defineState } from "@opstate/core";
 * import { z } from "zod";
 *
 * const list = defineState({
 *   name: "list",
 *   schema: z.object({ items: z.array(z.string()) }),
 *   initial: { items: ["Tea"] },
 *   operations: {
 *     add: {
 *       input: z.object({ item: z.string().meta({ freeText: true }) }),
 *       apply(draft, { item }) {
 *         draft.items.push(item);
 *       },
 *     },
 *   },
 * });
 *
 * const thread = createLocal(list, { actor: { kind: "user", id: "ada" } });
 * const intents = intentsOf(thread);
 * const call = intents.open({ id: "call_1", type: "add" });
 * call.write('{"item":"Cof');
 * intents.getState().view; // { items: ["Tea", "Cof"] }
 * thread.getState(); // { items: ["Tea"] }
 * call.end();
 * intents.getState().view; // { items: ["Tea"] }
 * ```
 */
export function intentsOf<D extends AnyDefinition>(thread: IntentThread<D>): ThreadIntents<D> {
  // They are of this very thread, so the types are the same.
  return madeOnce(thread, () => new Overlay(thread)) as ThreadIntents<D>;
}
