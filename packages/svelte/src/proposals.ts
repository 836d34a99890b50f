// What waits for a decision, as reactive values, and the decision.

import type { Proposal, Verdict, AnyOperation } from "@opstate/core";
import {
  type ApproveAccessOptions,
  createProposalFeed,
  type DecideAccessOptions,
  type ProposalFeed,
  type ProposalSource,
  type ProposalState,
} from "@opstate/core/feeds";
import { Parts } from "./parts.ts";
import { getterOf, madeOf, Present } from "./present.ts";

/** A participant's access, with a replica beside it where there is one. */
export interface DecisionSource<Operation = AnyOperation> extends ProposalSource<Operation> {
  /** Not a thread's own, which must be told who decides. */
  readonly approve: (proposal: string, options?: ApproveAccessOptions) => Promise<Verdict<Operation>>;
  readonly decline: (proposal: string, options?: DeclineOptions) => Promise<Verdict<Operation>>;
}

/** What may go along; without `proposedAt` the decision is about the proposal as it is shown. */
export type DeclineOptions = DecideAccessOptions & { readonly reason?: string };

/** The proposals of a participant's access; undefined of any other source. */
export type ProposalsIn<Source> = Source extends Participant<infer Operation> ? Proposals<Operation> : undefined;

/** A thread, which must be told who decides, has no `redo`. */
type Participant<Operation> = DecisionSource<Operation> & { readonly redo: unknown };

/**
 * The open proposals of `accessThread(thread, actor)`, or of `{ ...threadClient(options),
 * ...replica }`, and the ways to decide. Make it once, not in a template. They are read while a
 * template, a `$derived` or an `$effect` reads them.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const proposals = new Proposals(access);
 * </script>
 *
 * {#each proposals.open as proposal (proposal.version)}
 *   <p>{proposal.actor.id}: {proposal.sentence}</p>
 *   {#if proposal.stale.length === 0}
 *     <button onclick={() => proposals.approve(proposal)}>Accept</button>
 *   {:else}
 *     <button onclick={() => proposals.approve(proposal, { anyway: true })}>It was changed since. Do it anyway</button>
 *   {/if}
 *   <button onclick={() => proposals.decline(proposal, { reason: "Not now" })}>Decline</button>
 * {/each}
 * ```
 */
export class Proposals<Operation = AnyOperation> {
  /** Reads them now. Never rejects: see `error`. */
  readonly refresh: ProposalFeed<Operation>["refresh"];
  readonly #source: () => DecisionSource<Operation>;
  readonly #parts: Parts<ProposalState<Operation>>;

  constructor(source: DecisionSource<Operation> | Present<DecisionSource<Operation>>) {
    const feed = madeOf(source, (now) => createProposalFeed(now));
    this.refresh = () => feed.get().refresh();
    this.#source = getterOf(source);
    this.#parts = new Parts(feed);
  }

  /** Those that wait, oldest first. */
  get open(): readonly Proposal<Operation>[] {
    return this.#parts.read("proposals");
  }

  /** A read is under way, or none was yet. */
  get loading(): boolean {
    return this.#parts.read("loading");
  }

  /** What the last read threw. What is heard next, a reconnection or `refresh` try again. */
  get error(): unknown {
    return this.#parts.read("error");
  }

  /**
   * Does what is proposed, as it is shown: a proposal that is another one by now is not approved,
   * nor, without `anyway`, one whose place was changed since (`stale`).
   */
  approve({ id, version }: Shown, options?: ApproveAccessOptions): Promise<Verdict<Operation>> {
    return this.#source().approve(id, { proposedAt: version, ...options });
  }

  decline({ id, version }: Shown, options?: DeclineOptions): Promise<Verdict<Operation>> {
    return this.#source().decline(id, { proposedAt: version, ...options });
  }
}

type Shown = Pick<Proposal, "id" | "version">;

/** Made anew with each call. */
export function proposalsIn<Source>(source: Source | Present<Source>): ProposalsIn<Source> {
  const present = getterOf<unknown>(source);
  // TypeScript does not look into the conditional type of a parameter that is still open.
  return (isParticipant(present) ? new Proposals(new Present(present)) : undefined) as ProposalsIn<Source>;
}

function isParticipant(present: () => unknown): present is () => Participant<unknown> {
  const source = present();
  return (
    typeof source === "object" && source !== null && "approve" in source && "onCommit" in source && "redo" in source
  );
}
