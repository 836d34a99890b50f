// A thread as a stream of AG-UI events: the state, then every change of it, whoever makes it.
//
// Invariants: STATE_SNAPSHOT first; deltas in version order, each leading on from what was sent
// before it, none missing. What waits for a slow reader is bounded: beyond that it gets one
// snapshot for all it missed. Nothing is kept after the end.

import { type AGUIEvent, EventType, type Interrupt } from "@ag-ui/core";
import type { Commit, Refusal, Thread } from "@opstate/core";
import { commitEvent, deltaEvent, PROPOSAL_EVENT, rejectionEvent, snapshotEvent } from "./events.ts";
import { decidedBy, type OpenProposal, openProposals, proposalOf } from "./proposals.ts";

export interface CommitsToEventsOptions {
  /** The run that the events are sent in: `interrupts` are the proposals made in it. */
  readonly runId?: string;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** Commits and refusals that wait for the reader at most; default 256. */
  readonly limit?: number;
}

/**
 * Read it with `for await`, or by `ready` and `take` where the events go between others. One
 * reader.
 */
export interface CommitEvents extends AsyncIterable<AGUIEvent> {
  /** Resolves when `take` has something to give (true), or the stream has ended (false). */
  ready(): Promise<boolean>;
  /** Everything that there is to send now, without waiting. */
  take(): readonly AGUIEvent[];
  /**
   * Open proposals of this run (of all runs, without `runId`), as the outcome of RUN_FINISHED
   * carries them.
   */
  interrupts(): readonly Interrupt[];
  /** Ends the stream, like the signal. */
  close(): void;
}

type Waiting =
  | { readonly kind: "commit"; readonly commit: Commit; readonly before: unknown }
  | { readonly kind: "refusal"; readonly refusal: Refusal }
  | { readonly kind: "event"; readonly event: AGUIEvent };

/**
 * The events of a thread from now on: STATE_SNAPSHOT, then for each commit a STATE_DELTA and a
 * CUSTOM "opstate.commit"; for each refusal a CUSTOM "opstate.rejection"; for each proposal that
 * waits for an answer, old ones included, a CUSTOM "opstate.proposal" whose value is the interrupt.
 * It listens from the call on, so end it: by the signal, by leaving the loop, or by `close`.
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
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
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
  let waiting: Waiting[] = [{ kind: "event", event: snapshotEvent(thread) }];
  /** The reader missed what found no room. */
  let behind = false;
  let ended = false;
  let head = { version: thread.version, state: thread.getState() };
  let wake = () => {};
  const open = new Map<number, OpenProposal>();

  function add(entry: Waiting): void {
    if (behind) return;
    if (waiting.length >= limit) return fallBehind();
    waiting.push(entry);
    wake();
  }

  function fallBehind(): void {
    behind = true;
    waiting = [];
    wake();
  }

  function onCommit(commit: Commit): void {
    if (commit.version <= head.version) return;
    for (const version of decidedBy(commit)) open.delete(version);
    const proposal = proposalOf(commit);
    if (proposal !== undefined) open.set(commit.version, proposal);
    const before = head.state;
    // Told in order, one by one; were it not so, a snapshot would be right still.
    if (commit.version !== head.version + 1 || thread.version !== commit.version) fallBehind();
    head = { version: thread.version, state: thread.getState() };
    add({ kind: "commit", commit, before });
    if (proposal !== undefined) add({ kind: "event", event: proposalEvent(proposal) });
  }

  const stops = [thread.onCommit(onCommit), thread.onRejection((refusal) => add({ kind: "refusal", refusal }))];

  /** Those that were made before, as far as nobody decided on them while they were read. */
  async function addOlder(): Promise<void> {
    const decided = new Set<number>();
    const stop = thread.onCommit((commit) => decidedBy(commit).forEach((version) => decided.add(version)));
    try {
      for (const proposal of await openProposals(thread)) {
        if (ended || open.has(proposal.version) || decided.has(proposal.version)) continue;
        open.set(proposal.version, proposal);
        add({ kind: "event", event: proposalEvent(proposal) });
      }
    } finally {
      stop();
    }
  }

  function take(): readonly AGUIEvent[] {
    if (ended) return [];
    if (behind) {
      behind = false;
      return [snapshotEvent(thread), ...[...open.values()].map(proposalEvent)];
    }
    const taken = waiting;
    waiting = [];
    return taken.flatMap(eventsOf);
  }

  async function ready(): Promise<boolean> {
    if (ended || behind || waiting.length > 0) return !ended;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    return ready();
  }

  function close(): void {
    if (ended) return;
    ended = true;
    waiting = [];
    for (const stop of stops) stop();
    signal?.removeEventListener("abort", close);
    wake();
  }

  signal?.addEventListener("abort", close);
  if (signal?.aborted === true) close();
  // A log that cannot be read says so to whoever dispatches; what is open is then not told.
  void addOlder().catch(() => {});

  return {
    ready,
    take,
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

function eventsOf(entry: Waiting): readonly AGUIEvent[] {
  if (entry.kind === "event") return [entry.event];
  if (entry.kind === "refusal") return [rejectionEvent(entry.refusal)];
  return [deltaEvent(entry.commit, entry.before), commitEvent(entry.commit)];
}

function proposalEvent({ interrupt }: OpenProposal): AGUIEvent {
  return { type: EventType.CUSTOM, name: PROPOSAL_EVENT, value: interrupt };
}
