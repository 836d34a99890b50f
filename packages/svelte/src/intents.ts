// What agents are about to do in a thread, as reactive values.

import { intentsReader } from "@opstate/client/binding";
import type { IntentsState, IntentThread, ThreadIntents } from "@opstate/client/intents";
import type { AnyDefinition } from "@opstate/core";
import { getterOf, type Given } from "./given.ts";
import { Parts } from "./parts.ts";

/**
 * What agents are about to do in a thread. Create it once, not in a template. `followChat` of
 * `@opstate/client/intents` feeds it.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const ahead = new Intents(thread);
 * </script>
 *
 * {#each ahead.intents as { id, type, input } (id)}<li>{type}: {input.title ?? ""}</li>{/each}
 * ```
 */
export class Intents<D extends AnyDefinition = AnyDefinition> {
  /** Takes a refused intent out of the list. */
  readonly forget: ThreadIntents<D>["forget"];
  readonly #parts: Parts<IntentsState<D>>;

  constructor(thread: Given<IntentThread<D>>) {
    const getThread = getterOf(thread);
    this.forget = (id) => intentsReader(getThread()).forget(id);
    this.#parts = new Parts(() => intentsReader(getThread()));
  }

  /** The state of the thread with all intents. */
  get view(): IntentsState<D>["view"] {
    return this.#parts.read("view");
  }

  /** In the order in which their calls began. */
  get intents(): IntentsState<D>["intents"] {
    return this.#parts.read("intents");
  }

  /** The newest ten that were refused, oldest first, until `forget`. */
  get refused(): IntentsState<D>["refused"] {
    return this.#parts.read("refused");
  }
}
