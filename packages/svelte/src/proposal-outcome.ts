// What became of one proposal, as reactive values.

import type { ClientThread } from "@opstate/client";
import { proposalOutcomeOf, type ProposalOutcomeState } from "@opstate/client/binding";
import type { AcceptedOperationOf, AnyDefinition } from "@opstate/core";
import { getterOf, type Given } from "./given.ts";
import { Parts } from "./parts.ts";

/**
 * What became of a proposal: whether it is open, expired or decided, and then by whom, how and why.
 * For what shows a proposal where it was made, such as a chat: its id stays in the conversation.
 * Create it once, not in a template. It is live while a template, a `$derived` or an `$effect`
 * reads it. `id` may be a function, which is tracked.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const asked = new ProposalOutcome(thread, () => call.proposal);
 * </script>
 *
 * {#if asked.outcome?.status === "decided"}<p>{asked.outcome.how} by {asked.outcome.by.id}</p>{/if}
 * ```
 */
export class ProposalOutcome<D extends AnyDefinition = AnyDefinition> {
  readonly #parts: Parts<ProposalOutcomeState<AcceptedOperationOf<D>>>;

  constructor(thread: Given<Pick<ClientThread<D>, "proposals">>, id: string | (() => string)) {
    const getThread = getterOf(thread);
    this.#parts = new Parts(() => proposalOutcomeOf<D>(getThread().proposals, typeof id === "string" ? id : id()));
  }

  /** Undefined until it was read, and when the log knows no such proposal. */
  get outcome(): ProposalOutcomeState<AcceptedOperationOf<D>>["outcome"] {
    return this.#parts.read("outcome");
  }

  /** Whether it is being read. */
  get loading(): boolean {
    return this.#parts.read("loading");
  }

  /** What the last read threw. It is read again with the list of open proposals. */
  get error(): unknown {
    return this.#parts.read("error");
  }
}
