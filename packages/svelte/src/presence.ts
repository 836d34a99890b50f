// Who else is here, as a reactive value.

import type { ClientThread, Participant, PresenceValue } from "@opstate/client";
import { getterOf, type Given } from "./given.ts";
import { type Selected, Selection } from "./selection.svelte.ts";

/**
 * Who else has a thread open, persons and agents, and `show`, which says what this tab works on.
 * Create it once, not in a template.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const here = new Presence(thread);
 * </script>
 *
 * {#each here.participants as { session, actor } (session)}<span>{actor.id}</span>{/each}
 * <input onfocus={() => here.show({ focus: "/title" })} onblur={() => here.show(undefined)} />
 * ```
 */
export class Presence {
  /** Shows what this tab works on; undefined: nothing. */
  readonly show: (value: PresenceValue | undefined) => void;
  readonly #participants: Selected<readonly Participant[]>;

  constructor(thread: Given<Pick<ClientThread, "presence">>) {
    const getThread = getterOf(thread);
    this.show = (value) => getThread().presence.show(value);
    this.#participants = new Selection(
      () => getThread().presence,
      "state",
      (participants) => participants,
    );
  }

  get participants(): readonly Participant[] {
    return this.#participants.current;
  }
}
