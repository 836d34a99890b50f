// A thread as a stream of AG-UI events: the state, then every change of it by any actor.
//
// Invariants:
// - STATE_SNAPSHOT comes first.
// - Deltas come in version order, and none is missing: each leads on from the state sent before it.
// - The queue of a slow reader is bounded. A reader that falls behind gets one snapshot instead.
// - Nothing is kept after the end.

import { type AGUIEvent, EventType, type Interrupt } from "@ag-ui/core";
import type { Commit, Refusal, Thread } from "@opstate/core";
import { proposalChange } from "@opstate/core/log";
import { commitEvent, deltaEvent, PROPOSAL_EVENT, rejectionEvent, snapshotEvent } from "./events.ts";
import { asOpen, type OpenProposal, openProposals } from "./proposals.ts";

export interface CommitsToEventsOptions {
  /** The run in which the events are sent: `interrupts` are the proposals made in it. */
  readonly runId?: string;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** The most events that are queued for the reader; default 256. */
  readonly limit?: number;
}

/**
 * The events of a thread, for one reader. Read them with `for await`, or with `ready` and `take` to
 * send them between other events.
 */
export interface CommitEvents extends AsyncIterable<AGUIEvent> {
  /** Resolves to true when `take` has events, and to false when the stream has ended. */
  ready(): Promise<boolean>;
  /** The events that are there now, without waiting. */
  take(): readonly AGUIEvent[];
  /** Adds a STATE_SNAPSHOT, for a reader that may show a state which is not the thread's. */
  snapshot(): void;
  /**
   * The open proposals of this run, as the outcome of RUN_FINISHED carries them. Without `runId`,
   * those of all runs.
   */
  interrupts(): readonly Interrupt[];
  /** Ends the stream, like the signal. */
  close(): void;
}

type QueuedEntry =
  | { readonly kind: "commit"; readonly commit: Commit; readonly before: unknown }
  | { readonly kind: "refusal"; readonly refusal: Refusal }
  | { readonly kind: "event"; readonly event: AGUIEvent };

/**
 * The events of a thread from now on:
 * - a STATE_SNAPSHOT first
 * - for each commit a STATE_DELTA and a CUSTOM "opstate.commit"
 * - for each refusal a CUSTOM "opstate.rejection"
 * - for each open proposal, also an older one, a CUSTOM "opstate.proposal" whose value is the
 *   interrupt
 *
 * It subscribes to the thread at once. End it by the signal, by leaving the loop, or by `close`.
 *
 * @example
 * ```ts
 * import { commitsToEvents } from "@opstate/ag-ui";
 * import { defineState, memoryLog, openThread } from "@opstate/core";
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
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 *
 * const events = commitsToEvents(thread, { runId: "r1" });
 * await thread.dispatch(counter.op.add({ by: 1 }), { actor: { kind: "user", id: "ada" } });
 * const types = events.take().map(({ type }) => type);
 * events.close();
 *
 * types; // ["STATE_SNAPSHOT", "STATE_DELTA", "CUSTOM"]
 * ```
 */
export function commitsToEvents(thread: Thread, options: CommitsToEventsOptions = {}): CommitEvents {
  const { runId, signal, limit = 256 } = options;
  let queue: QueuedEntry[] = [{ kind: "event", event: snapshotEvent(thread) }];
  /** The queue was full: the reader gets a snapshot instead of what was in the queue. */
  let isBehind = false;
  let ended = false;
  let head = { version: thread.version, state: thread.getState() };
  let wake = () => {};
  /** By the version of the proposal's commit. */
  const open = new Map<number, OpenProposal>();
  /** The versions of the proposals that were decided or undone while the open ones are read. */
  let closed = new Set<number>();

  function add(entry: QueuedEntry): void {
    if (isBehind) return;
    if (queue.length >= limit) return fallBehind();
    queue.push(entry);
    wake();
  }

  function fallBehind(): void {
    isBehind = true;
    queue = [];
    wake();
  }

  function addProposal(proposal: OpenProposal): void {
    open.set(proposal.version, proposal);
    add({ kind: "event", event: proposalEvent(proposal) });
  }

  function closeProposal(version: number): void {
    open.delete(version);
    closed.add(version);
  }

  function onCommit(commit: Commit): void {
    const { version } = commit;
    if (version <= head.version) return;
    const before = head.state;
    // Commits come in order, one by one. Should one be missing, a snapshot is right all the same.
    if (version !== head.version + 1 || thread.version !== version) fallBehind();
    head = { version: thread.version, state: thread.getState() };
    add({ kind: "commit", commit, before });
    const change = proposalChange(commit.operation);
    if (change?.kind === "opened") addProposal(asOpen({ ...commit, ...change.operation }));
    else for (const closedAt of change?.closed ?? []) closeProposal(closedAt);
    // An undo may take another one back, and so open a proposal again.
    if (change?.kind === "undone") readProposals();
  }

  const unsubscribes = [thread.onCommit(onCommit), thread.onRejection((refusal) => add({ kind: "refusal", refusal }))];

  /** Adds the open proposals of the log, but for those that are closed while they are read. */
  async function addOpenProposals(): Promise<void> {
    const closedMeanwhile = (closed = new Set());
    const proposals = await openProposals(thread);
    // A later reading knows more.
    if (ended || closed !== closedMeanwhile) return;
    for (const proposal of proposals)
      if (!open.has(proposal.version) && !closedMeanwhile.has(proposal.version)) addProposal(proposal);
  }

  function readProposals(): void {
    // A log that cannot be read fails the next dispatch, which reports it.
    addOpenProposals().catch(() => {});
  }

  function take(): readonly AGUIEvent[] {
    if (ended) return [];
    if (isBehind) {
      isBehind = false;
      return [snapshotEvent(thread), ...[...open.values()].map(proposalEvent)];
    }
    const entries = queue;
    queue = [];
    return entries.flatMap(eventsOf);
  }

  async function ready(): Promise<boolean> {
    if (ended || isBehind || queue.length > 0) return !ended;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    return ready();
  }

  function close(): void {
    if (ended) return;
    ended = true;
    queue = [];
    for (const unsubscribe of unsubscribes) unsubscribe();
    signal?.removeEventListener("abort", close);
    wake();
  }

  signal?.addEventListener("abort", close);
  if (signal?.aborted === true) close();
  readProposals();

  return {
    ready,
    take,
    snapshot: () => add({ kind: "event", event: snapshotEvent(thread) }),
    close,
    interrupts: () =>
      [...open.values()]
        .filter((proposal) => runId === undefined || proposal.runId === runId)
        .map(({ interrupt }) => interrupt),
    async *[Symbol.asyncIterator]() {
      try {
        while (await ready()) {
          for (const event of take()) {
            if (ended) return;
            yield event;
          }
        }
      } finally {
        close();
      }
    },
  };
}

function eventsOf(entry: QueuedEntry): readonly AGUIEvent[] {
  if (entry.kind === "event") return [entry.event];
  if (entry.kind === "refusal") return [rejectionEvent(entry.refusal)];
  return [deltaEvent(entry.commit, entry.before), commitEvent(entry.commit)];
}

function proposalEvent({ interrupt }: OpenProposal): AGUIEvent {
  return { type: EventType.CUSTOM, name: PROPOSAL_EVENT, value: interrupt };
}
