// Who else is here, as a reactive value.

import type { Participant, PresenceValue, ThreadPresence } from "@opstate/client";
import { type Selected, Selection } from "./selection.ts";
import { SourceRef, sourceGetter } from "./source-ref.ts";

/**
 * Who else has a thread open, persons and agents, and `show`, which says what this tab works on.
 * Create it once, not in a template.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const here = new Presence(thread.presence);
 * </script>
 *
 * {#each here.participants as { session, actor } (session)}<span>{actor.id}</span>{/each}
 * <input onfocus={() => here.show({ focus: "/title" })} onblur={() => here.show(undefined)} />
 * ```
 */
export class Presence {
  readonly #source: () => ThreadPresence;
  readonly #participants: Selected<readonly Participant[]>;

  constructor(source: ThreadPresence | SourceRef<ThreadPresence>) {
    this.#source = sourceGetter(source);
    this.#participants = new Selection(new SourceRef(this.#source), (participants) => participants);
  }

  get participants(): readonly Participant[] {
    return this.#participants.current;
  }

  /** Shows what this tab works on; undefined: nothing. */
  show(value: PresenceValue | undefined): void {
    this.#source().show(value);
  }
}
