// The open proposals as reactive values, and the decisions about them.

import type { ClientThread, ProposalState, ThreadProposals } from "@opstate/client";
import type { AcceptedOperationOf, AnyDefinition } from "@opstate/core";
import { getterOf, type Given } from "./given.ts";
import { Parts } from "./parts.ts";

/**
 * The open proposals of a thread, and their decisions. Create it once, not in a template. It is
 * live while a template, a `$derived` or an `$effect` reads it. A decision is about the proposal as
 * it is shown: it is refused when the proposal was replaced meanwhile, and an approval, without
 * `anyway`, when the values that it changes have changed since (`stale`).
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const waiting = new Proposals(thread);
 * </script>
 *
 * {#each waiting.proposals as proposal (proposal.version)}
 *   <p>{proposal.actor.id}: {proposal.sentence}</p>
 *   {#if proposal.stale.length === 0}
 *     <button onclick={() => waiting.approve(proposal)}>Accept</button>
 *   {:else}
 *     <button onclick={() => waiting.approve(proposal, { anyway: true })}>Changed since. Accept anyway</button>
 *   {/if}
 *   <button onclick={() => waiting.decline(proposal, { reason: "Not now" })}>Decline</button>
 * {/each}
 * ```
 */
export class Proposals<D extends AnyDefinition = AnyDefinition> {
  readonly propose: ThreadProposals<D>["propose"];
  readonly approve: ThreadProposals<D>["approve"];
  readonly decline: ThreadProposals<D>["decline"];
  /** Reads the proposals now. Never rejects: see `error`. */
  readonly refresh: () => Promise<void>;
  readonly #parts: Parts<ProposalState<AcceptedOperationOf<D>>>;

  constructor(thread: Given<Pick<ClientThread<D>, "proposals">>) {
    const getThread = getterOf(thread);
    const list = () => getThread().proposals;
    this.propose = (...given) => list().propose(...given);
    this.approve = (...given) => list().approve(...given);
    this.decline = (...given) => list().decline(...given);
    this.refresh = () => list().refresh();
    this.#parts = new Parts(list);
  }

  /** The open proposals, oldest first. */
  get proposals(): ProposalState<AcceptedOperationOf<D>>["proposals"] {
    return this.#parts.read("proposals");
  }

  /** Whether a read is under way, or none has begun yet. */
  get loading(): boolean {
    return this.#parts.read("loading");
  }

  /** What the last read threw. The next commit, a reconnection or `refresh` reads again. */
  get error(): unknown {
    return this.#parts.read("error");
  }
}
