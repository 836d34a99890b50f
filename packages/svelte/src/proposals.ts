// The open proposals as reactive values, and the decisions about them.

import type { ClientThread, ThreadProposals } from "@opstate/client";
import type { AcceptedOperationOf, AnyDefinition, Proposal, Verdict, AnyOperation } from "@opstate/core";
import {
  type ApproveAccessOptions,
  createProposalFeed,
  type DecideAccessOptions,
  type ProposalFeed,
  type ProposalSource,
  type ProposalState,
} from "@opstate/core/feeds";
import { isClientThread } from "./client-thread.ts";
import { Parts } from "./parts.ts";
import { sourceGetter, mapSource, SourceRef } from "./source-ref.ts";

/** The access of a participant, with a replica where there is one. */
export interface DecisionSource<Operation = AnyOperation> extends ProposalSource<Operation> {
  /** Of a participant. A thread's own `approve` needs an actor, so it does not fit. */
  readonly approve: (proposal: string, options?: ApproveAccessOptions) => Promise<Verdict<Operation>>;
  readonly decline: (proposal: string, options?: DeclineOptions) => Promise<Verdict<Operation>>;
}

/**
 * Options of a decline. Without `proposedAt`, the decision is about the proposal as it is shown.
 */
export type DeclineOptions = DecideAccessOptions & { readonly reason?: string };

/** The proposals of a participant's access; undefined of any other source. */
export type ProposalsIn<Source> =
  Source extends ClientThread<infer D>
    ? Proposals<AcceptedOperationOf<D>>
    : Source extends Participant<infer Operation>
      ? Proposals<Operation>
      : undefined;

/** What decides: a participant's access, or the `proposals` of a client's thread. */
type Decisions<Operation> = Pick<DecisionSource<Operation>, "approve" | "decline">;
type ProposalsAre<Operation> = DecisionSource<Operation> | (ProposalFeed<Operation> & Decisions<Operation>);

/** `redo` tells it from a thread, whose decisions need an actor. */
type Participant<Operation> = DecisionSource<Operation> & { readonly redo: unknown };

/**
 * The open proposals of `accessThread(thread, actor)`, or of `{ ...threadClient(options),
 * ...replica }`, with `approve` and `decline`. Create it once, not in a template. It is live while
 * a template, a `$derived` or an `$effect` reads it.
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
 *     <button onclick={() => proposals.approve(proposal, { anyway: true })}>Changed since. Accept anyway</button>
 *   {/if}
 *   <button onclick={() => proposals.decline(proposal, { reason: "Not now" })}>Decline</button>
 * {/each}
 * ```
 */
export class Proposals<Operation = AnyOperation> {
  /** Reads the proposals now. Never rejects: see `error`. */
  readonly refresh: ProposalFeed<Operation>["refresh"];
  readonly #source: () => Decisions<Operation>;
  readonly #parts: Parts<ProposalState<Operation>>;

  constructor(source: ProposalsAre<Operation> | SourceRef<ProposalsAre<Operation>>) {
    const feed = mapSource(source, (now) => ("refresh" in now ? now : createProposalFeed(now)));
    this.refresh = () => feed.get().refresh();
    this.#source = sourceGetter<Decisions<Operation>>(source);
    this.#parts = new Parts(feed);
  }

  /** The open proposals, oldest first. */
  get open(): readonly Proposal<Operation>[] {
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

  /**
   * Approves a proposal as it is shown. It is refused when the proposal was replaced meanwhile,
   * and, without `anyway`, when the values that it changes have changed since (`stale`).
   */
  approve({ id, version }: Shown, options?: ApproveAccessOptions): Promise<Verdict<Operation>> {
    return this.#source().approve(id, { proposedAt: version, ...options });
  }

  decline({ id, version }: Shown, options?: DeclineOptions): Promise<Verdict<Operation>> {
    return this.#source().decline(id, { proposedAt: version, ...options });
  }
}

type Shown = Pick<Proposal, "id" | "version">;

/** Returns a new object with each call. */
export function proposalsIn<Source>(source: Source | SourceRef<Source>): ProposalsIn<Source> {
  const getSource = sourceGetter<unknown>(source);
  // TypeScript does not resolve conditional types of a type parameter.
  return (
    decides(getSource) ? new Proposals(new SourceRef(() => proposalsOf(getSource()))) : undefined
  ) as ProposalsIn<Source>;
}

function proposalsOf(source: Participant<unknown> | ClientThread): ProposalsAre<unknown> {
  return isClientThread(source) ? (source.proposals as ThreadProposals<AnyDefinition>) : source;
}

function decides(getSource: () => unknown): getSource is () => Participant<unknown> | ClientThread {
  const source = getSource();
  return isClientThread(source) || isParticipant(source);
}

function isParticipant(source: unknown): boolean {
  return (
    typeof source === "object" && source !== null && "approve" in source && "onCommit" in source && "redo" in source
  );
}
