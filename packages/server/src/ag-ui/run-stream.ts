// A run and its record, and the stream of who started it.
//
//   attached   agent ─> record, and at once ─> its reader, for whom it waits, and with whom it ends
//   detached   agent ─> record <─ any number of readers, each at its own place and pace
//
// Invariants:
// - A run that never began ends with RUN_ERROR alone.
// - An attached run ends when its reader leaves. A detached one goes on.
// - Either ends when who started it turns out to have lost their rights.
// - A detached run that is requested again by its id is not started again: its record is read.
// (Long because all that can end a run stands here.)

import type { RunAgentInput } from "@ag-ui/core";
import { EventType } from "@ag-ui/core";
import { defined } from "@opstate/core";
import { eventLoop, Pace, randomId } from "@opstate/core/thread";
import { untilAborted } from "@opstate/core/until-aborted";
import type { RunQueue } from "@opstate/core/run-queue";
import { EventFrame, retryLine } from "../http/event-frame.ts";
import type { EventStream, EventStreams, StreamTarget } from "../http/event-stream.ts";
import { Problem } from "../http/problem.ts";
import { isOrBranchOf, type LastingAccess, type Rechecks } from "../http/rechecks.ts";
import { usualRetry } from "../http/retry-delay.ts";
import type { Frame } from "../http/sink.ts";
import type { Observers } from "../observe/observers.ts";
import type { OpenWork } from "../lifecycle/open-work.ts";
import type { EarlierRuns } from "../owners/earlier-runs.ts";
import type { Quotas } from "../quotas/quotas.ts";
import { RunFollower } from "../runs/follow-run.ts";
import type { RunRecord, StopReason } from "../runs/run-record.ts";
import type { RunHead } from "../runs/run-store.ts";
import type { Runs } from "../runs/runs.ts";
import type { ThreadRuns } from "../runs/thread-runs.ts";
import { begunBefore, checkContinued } from "./earlier-run.ts";
import { type ExecutedRun, executeRun, type RunOutput } from "./execute-run.ts";
import { observedRun } from "./observed-run.ts";
import type { ElsewhereServices } from "./run-elsewhere.ts";

export interface RunServices extends ElsewhereServices {
  readonly streams: EventStreams;
  readonly rechecks: Rechecks;
  readonly quotas: Quotas;
  readonly queue: RunQueue;
  /** Absent where this server is the only one. */
  readonly earlierRuns: EarlierRuns | undefined;
  /** Counts the runs that have not ended. */
  readonly runs: OpenWork;
  readonly records: Runs;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
  readonly onError: (error: unknown) => void;
  readonly observers: Observers | undefined;
  readonly runBounds: RunLimits;
}

/** What runs may take. */
export interface RunLimits {
  /** Milliseconds from the start of a run to its end. */
  readonly timeout: number;
  /** Runs of one thread that have not ended: the one that runs, and those that wait. */
  readonly queue: number;
  /** Detached runs of one actor that have not ended. */
  readonly detached: number;
}

/** A timer's longest time: 24 days. */
const LONGEST_TIMER = 2 ** 31 - 1;

export interface Run extends ExecutedRun {
  readonly threadRuns: ThreadRuns;
  readonly isDetached: boolean;
  readonly isShared: boolean;
  /** Its agent can go on after a stop of the server. */
  readonly isContinuable: boolean;
  /** Keeps the thread open until the returned function is called. */
  readonly hold: () => () => void;
  readonly lasting: RunAccess;
}

/** Its check rejects with a Problem when the actor may not run here any more. */
export type RunAccess = Pick<LastingAccess, "actor" | "expiresAt" | "since" | "check">;

/** Queues the run after the thread's earlier runs and responds at once. */
export async function serveRun(run: Run, target: StreamTarget, services: RunServices): Promise<Response> {
  const { streams, queue, runBounds, records } = services;
  const { threadId } = run.thread;
  const known = begunBefore(run);
  if (known !== undefined) return followAgain(known, run, target, services);
  if (queue.length(threadId) >= runBounds.queue)
    throw new Problem(
      "too_many_runs",
      `${runBounds.queue} runs wait on thread "${threadId}". Try again when some have ended.`,
    );
  if (run.isDetached && (await records.detachedBy(run.actor)) >= runBounds.detached)
    throw new Problem(
      "too_many_runs",
      `${runBounds.detached} runs of ${run.actor.kind} "${run.actor.id}" go on without a reader. Try again when some have ended.`,
    );
  // Nothing is awaited from here on: of two equal requests at once, one begins the run.
  const begun = begunBefore(run);
  if (begun !== undefined) return followAgain(begun, run, target, services);
  checkContinued(run);
  // Nobody would end it.
  if (services.closing.aborted) throw new Problem("closing", "The server is closing.");
  records.checkOwned(run.thread.incarnation);
  const record = run.threadRuns.begin(headOf(run));
  if (run.isDetached) {
    startDetached(run, record, services);
    return followOwn(record, target, streams);
  }
  return startAttached(run, record, target, services);
}

/** The answer to the first request was lost. */
function followAgain(record: RunRecord, run: Run, target: StreamTarget, { streams }: RunServices): Response {
  record.onRenewed(run.lasting.check);
  return followOwn(record, target, streams);
}

/** The stream of who started it. */
function followOwn(record: RunRecord, target: StreamTarget, streams: EventStreams): Response {
  return followRun(record, 0, target, streams, { onOpen: ({ delivered }) => record.delivery.addReader(delivered) });
}

interface FollowOptions {
  readonly onOpen?: (stream: EventStream) => void;
  readonly onClose?: () => void;
  /** Events before the first: they have no numbers. */
  readonly prelude?: readonly object[];
}

/** A stream of the record's events from a number on. */
export function followRun(
  record: RunRecord,
  after: number,
  target: StreamTarget,
  streams: EventStreams,
  { onOpen = () => {}, onClose = () => {}, prelude = [] }: FollowOptions = {},
): Response {
  const stream = streams.open(target, {
    onClose() {
      follower.close();
      onClose();
    },
  });
  const follower = new RunFollower(record, stream);
  // By this a client knows that it can come back.
  stream.send(retryLine(usualRetry()));
  for (const event of prelude) stream.send(frameOf(event));
  onOpen(stream);
  follower.follow(after);
  return stream.response;
}

function startAttached(run: Run, record: RunRecord, target: StreamTarget, services: RunServices): Response {
  const aborter = new AbortController();
  const recheck = beginRecheck(run, record, services);
  const stream: EventStream = services.streams.open(target, {
    onClose() {
      recheck.close();
      record.stop({ code: "stopped", message: `The run was ${record.stoppedAfter}: its reader left.` });
      aborter.abort();
    },
  });
  record.delivery.addReader(stream.delivered);
  record.onStop = (reason) => {
    record.stop(reason);
    stream.endWith(frameOf({ type: EventType.RUN_ERROR, message: reason.message, code: reason.code }));
  };
  const output: RunOutput = {
    send(event) {
      record.append(event);
      stream.send(frameOf(event));
    },
    drained: () => stream.drained(),
  };
  const closing: StopReason = { code: "closing", message: "The server is closing." };
  begin(run, record, { output, aborter, closing, onEnd: () => stream.end() }, services);
  return stream.response;
}

function startDetached(run: Run, record: RunRecord, services: RunServices): void {
  const { quotas } = services;
  const aborter = new AbortController();
  const recheck = beginRecheck(run, record, services);
  record.onStop = (reason) => {
    record.stop(reason);
    recheck.close();
    aborter.abort();
  };
  record.onFull = () =>
    record.onStop({
      code: "run_too_large",
      message: `The run was ${record.stoppedAfter}: it wrote more than is kept of a run.`,
    });
  const pace = new Pace(eventLoop);
  let { size } = record;
  const output: RunOutput = {
    send(event) {
      record.append(event);
      quotas.spendOnList(run.actor, Math.max(0, record.size - size));
      size = record.size;
    },
    async drained() {
      if (pace.isOver) await pace.next();
      return !record.isOver;
    },
  };
  const closing: StopReason = { code: "stopped", message: "", isServers: true };
  begin(run, record, { output, aborter, closing, onEnd: () => recheck.close() }, services);
}

interface Begun {
  readonly output: RunOutput;
  readonly aborter: AbortController;
  /** What is said when the server closes. */
  readonly closing: StopReason;
  readonly onEnd: () => void;
}

function begin(run: Run, record: RunRecord, { output, aborter, closing, onEnd }: Begun, services: RunServices): void {
  const { queue, earlierRuns, runs, records, runBounds, onError, observers } = services;
  const { signal } = aborter;

  function close(): void {
    const message = closing.message || `The run was ${record.stoppedAfter}: the server closed.`;
    record.onStop({ ...closing, message });
  }

  /** The thread is free for the next run, even if the agent goes on. */
  function timeOut(): void {
    const message = `The run was ended: it took longer than ${Math.round(runBounds.timeout / 1000)} seconds.`;
    record.onStop({ message, code: "run_timeout" });
  }

  async function execute(): Promise<void> {
    const timer = setTimeout(timeOut, Math.min(runBounds.timeout, LONGEST_TIMER));
    timer.unref();
    try {
      await executeRun(run, output, signal, observers);
    } finally {
      clearTimeout(timer);
    }
  }

  async function othersEnded(): Promise<void> {
    if (earlierRuns === undefined) return;
    await earlierRuns.ended(run.thread, record.head.epoch ?? 0, signal);
    // A server whose lease was over may come back: a run that it still has is ended by this.
    await untilAborted(run.threadRuns.loadOfOthers(), signal).catch((error: unknown) => {
      if (!signal.aborted) onError(error);
    });
  }

  async function runInQueue(): Promise<void> {
    const release = run.hold();
    const queuedAt = performance.now();
    try {
      await queue.run(run.thread.threadId, async () => {
        await othersEnded();
        if (!signal.aborted) await observedRun(observers, run, queuedAt, signal, execute);
      });
    } catch (error) {
      onError(error);
      // Only the application gets the error itself.
      output.send({ type: EventType.RUN_ERROR, message: "The agent failed.", code: "agent_failed" });
    }
    release();
    services.closing.removeEventListener("abort", close);
    onEnd();
    void records.sweep().catch(onError);
  }

  services.closing.addEventListener("abort", close);
  void runs.during(runInQueue);
}

/** Asks again whether who started the run may go on, by their newest request. */
function beginRecheck(run: Run, record: RunRecord, { rechecks, onError }: RunServices) {
  let newest = run.lasting.check;
  const recheck = rechecks.begin({
    ...run.lasting,
    check: () => newest(),
    shows: (shown: string) => isOrBranchOf(run.thread, shown),
    // Ends the run as if the client had left, and says why.
    onRefused: ({ code, message }) => record.onStop({ code, message }),
    onError,
  });
  record.onRenewed = (check) => {
    newest = check;
    recheck.ask();
  };
  return recheck;
}

function headOf({ name, input, thread, actor, continues, isDetached, isShared, isContinuable }: Run): RunHead {
  return {
    threadId: thread.threadId,
    incarnation: thread.incarnation,
    runId: input.runId,
    key: randomId(),
    agent: name,
    actor,
    startedAt: new Date().toISOString(),
    detached: isDetached,
    isShared,
    ...(isContinuable && { continuable: true }),
    ...defined({ continues }),
    prompt: promptOf(input),
  };
}

/** What was added since the agent's last answer. */
function promptOf({ messages }: RunAgentInput): RunHead["prompt"] {
  const last = messages.findLastIndex(({ role }) => role === "assistant" || role === "reasoning");
  return messages.slice(last + 1);
}

function frameOf(event: object): Frame {
  return new EventFrame("", event).bytes;
}
