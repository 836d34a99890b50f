// The record of one run: its AG-UI events, numbered from 1 on.
//
//   agent ──append──> 1 2 3 4 5 ...      ──> the store, some at a time
//                         ^     ^
//                     reader  reader      each at its own place and pace
//
// Invariants:
// - An event has one number, and numbers have no gaps.
// - The terminal event is the last one. What comes after it is dropped.
// - A reader that has the events up to n gets n + 1 next. Its stream ends when n + 1 is not kept
//   any more.

import { EventType, type Message } from "@ag-ui/core";
import { type Actor, defined } from "@opstate/core";
import type { Access } from "../http/access.ts";
import type { CheckOptions } from "../http/recheck-access.ts";
import { Delivery } from "./delivery.ts";
import type { RecordWriter } from "./record-writer.ts";
import { RunMarks } from "./run-marks.ts";
import type { RunEnd, RunHead, StoredRun } from "./run-store.ts";
import { sizeOfMessages } from "./size-of-messages.ts";
import { inWords, isStoppedEvent, stoppedEvent } from "./stopped.ts";

export type RunStatus = "waiting" | "running" | RunEnd;

/** How much of a run is kept. */
export interface RecordLimits {
  readonly events: number;
  readonly bytes: number;
}

/** A run as `GET /threads/:id/runs` lists it. */
export interface RunInfo {
  readonly runId: string;
  readonly agent: string;
  readonly actor: Actor;
  readonly status: RunStatus;
  readonly detached: boolean;
  readonly startedAt: string;
  readonly endedAt?: string;
  /** The number of its last event. */
  readonly events: number;
  /** How many tool calls have their results. */
  readonly steps: number;
  /** How many tool calls have begun. */
  readonly calls: number;
  /** The server's end stopped it, and its agent can go on from there. */
  readonly continuable: boolean;
  /** The stopped run that it goes on with. */
  readonly continues?: string;
  /** The request that it answers. */
  readonly messages: readonly Message[];
}

export class RunRecord {
  readonly head: RunHead;
  readonly delivery: Delivery;
  readonly #limits: RecordLimits;
  readonly #writer: RecordWriter | undefined;
  /** JSON. */
  #events: string[] = [];
  /** How many events are not kept any more. */
  #forgotten = 0;
  /** Characters of the events that are kept. */
  #size = 0;
  readonly #promptSize: number;
  #steps = 0;
  #calls = 0;
  #status: RunStatus = "waiting";
  #endedAt: string | undefined;
  /** Of a run that was read from a store, they are made when they are needed. */
  #marks: RunMarks | undefined = new RunMarks();
  readonly #waiters = new Set<() => void>();
  /** Called when a detached run has no room for more. */
  onFull: () => void = () => {};
  /** Ends the run; set where it is executed. */
  onStop: (why: StopReason) => void = () => {};
  /** A newer request of who started it, by which their rights are checked from now on. */
  onRenewed: (check: CheckOptions<Pick<Access, "expiresAt">>["check"]) => void = () => {};

  constructor(head: RunHead, limits: RecordLimits, writer?: RecordWriter, isDelivered = false) {
    this.head = head;
    this.#promptSize = sizeOfMessages(head.prompt);
    this.delivery = new Delivery(isDelivered, () => writer?.deliver());
    this.#limits = limits;
    this.#writer = writer;
  }

  /** A run that a process before this one kept. Without an end it died with that process. */
  static stored({ head, events, end, delivered }: StoredRun, limits: RecordLimits, writer?: RecordWriter): RunRecord {
    const record = new RunRecord(head, limits, writer, delivered);
    record.#events = [...events];
    record.#marks = undefined;
    record.#size = events.reduce((sum, { length }) => sum + length, 0);
    for (const json of events) if (json.includes("TOOL_CALL_")) record.#count(JSON.parse(json));
    if (end !== undefined) {
      record.#status = end.status;
      record.#endedAt = end.at;
      return record;
    }
    const message = `The run was ${record.stoppedAfter}: the server that ran it ended.`;
    record.stop({ code: "stopped", message, isServers: true });
    return record;
  }

  /** How many events it has. */
  get length(): number {
    return this.#forgotten + this.#events.length;
  }

  /** How many of its first events are not kept any more. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Characters that it keeps, of its request too. */
  get size(): number {
    return this.#promptSize + this.#size;
  }

  get status(): RunStatus {
    return this.#status;
  }

  get isOver(): boolean {
    return this.#status !== "waiting" && this.#status !== "running";
  }

  get endedAt(): string | undefined {
    return this.#endedAt;
  }

  get info(): RunInfo {
    const { runId, agent, actor, detached, startedAt, prompt, continues } = this.head;
    const more = defined({ endedAt: this.#endedAt, continues });
    const { status, length: events, continuable } = this;
    const progress = { events, steps: this.#steps, calls: this.#calls, continuable };
    return { runId, agent, actor, status, detached, startedAt, ...more, ...progress, messages: prompt };
  }

  /** For a sentence about a run that was stopped: how far it came. */
  get stoppedAfter(): string {
    return inWords({ steps: this.#steps, calls: this.#calls });
  }

  /** Whether the server's end stopped it, and its agent can go on from there. */
  get continuable(): boolean {
    return this.#status === "stopped" && this.head.continuable === true && this.#endsInStop();
  }

  get marks(): RunMarks {
    return (this.#marks ??= RunMarks.of(this.#events));
  }

  /** Where its end begins: the last event, or both of a run that the server's end stopped. */
  get startOfEnd(): number {
    return this.length - (this.#endsInStop() ? 2 : 1);
  }

  /** Adds an event. A terminal one ends the record. */
  append(event: object): void {
    if (this.isOver) return;
    const { type } = event as { readonly type?: unknown };
    if (type === EventType.RUN_FINISHED) this.#add(event, "finished");
    else if (type === EventType.RUN_ERROR) this.#add(event, "failed");
    else this.#add(event, "running");
  }

  /** Ends it with a RUN_ERROR that is not the agent's. */
  stop({ code, message, isServers = false }: StopReason): void {
    const { runId, continuable = false } = this.head;
    // One that has not begun ends with RUN_ERROR alone.
    if (isServers && this.length > 0)
      this.append(stoppedEvent(runId, { steps: this.#steps, calls: this.#calls }, continuable));
    if (!this.isOver) this.#add({ type: EventType.RUN_ERROR, message, code }, "stopped");
  }

  /** JSON of at most `limit` events after number `after`. */
  read(after: number, limit = Infinity): readonly string[] {
    const from = after - this.#forgotten;
    return this.#events.slice(from, from + limit);
  }

  /** Keeps nothing of what it has so far. Its numbers go on. */
  forget(): void {
    this.#forgotten += this.#events.length;
    this.#events = [];
    this.#size = 0;
    this.#wake();
  }

  /** Calls back at each change until the returned function is called. */
  onChange(listener: () => void): () => void {
    const waiter = () => listener();
    this.#waiters.add(waiter);
    return () => void this.#waiters.delete(waiter);
  }

  #add(event: object, status: RunStatus): void {
    const json = JSON.stringify(event);
    const after = this.length;
    this.#events.push(json);
    this.#size += json.length;
    this.#count(event);
    this.#marks?.add(event);
    this.#status = status;
    this.#writer?.append(after, [json]);
    if (status !== "running" && status !== "waiting") {
      this.#endedAt = new Date().toISOString();
      this.#writer?.end(status, this.#endedAt);
    } else if (this.#isFull()) {
      if (this.head.detached) this.onFull();
      else this.#forgetHalf();
    }
    this.#wake();
  }

  #count(event: unknown): void {
    const type = typeof event === "object" && event !== null && "type" in event ? event.type : undefined;
    if (type === EventType.TOOL_CALL_RESULT) this.#steps += 1;
    if (type === EventType.TOOL_CALL_START) this.#calls += 1;
  }

  #endsInStop(): boolean {
    return isStoppedEvent(this.#events.at(-2));
  }

  #isFull(): boolean {
    return this.#events.length > this.#limits.events || this.#size > this.#limits.bytes;
  }

  /** Of an attached run the reader already has what is dropped, because the run waits for it. */
  #forgetHalf(): void {
    const gone = this.#events.splice(0, Math.ceil(this.#events.length / 2));
    this.#forgotten += gone.length;
    this.#size -= gone.reduce((sum, { length }) => sum + length, 0);
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }
}

/** Why a run ends that its agent did not end. */
export interface StopReason {
  readonly code: string;
  readonly message: string;
  /** The server ends or has ended: nothing is wrong with the run. */
  readonly isServers?: boolean;
}
