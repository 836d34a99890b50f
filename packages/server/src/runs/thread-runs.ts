// The runs of one thread, those of this process and what is stored.
//
// Invariants:
// - A run belongs to its thread: when that is deleted or replaced, its runs are stopped and gone.
// - After a redaction nothing of earlier events is kept: they may hold what was erased. The runs of
//   whom it was about are stopped.
// - A thread with detached runs that are kept stays open, so that its deletion and its redactions
//   are noticed. Those of attached runs are kept for as long as the thread is open for other
//   reasons.
// - What another server runs is not here until it is over.

import { sameActor } from "@opstate/core/thread";
import { type Actor, defined } from "@opstate/core";
import { isRedact } from "@opstate/core/log";
import type { ServedThread } from "../threads/served-thread.ts";
import { RecordWriter } from "./record-writer.ts";
import { RunRecord } from "./run-record.ts";
import type { RunsOptions } from "./run-options.ts";
import type { RunHead, StoredRun } from "./run-store.ts";

export class ThreadRuns {
  readonly incarnation: string;
  readonly served: ServedThread;
  readonly #options: RunsOptions;
  /** By key, oldest first. */
  readonly #records = new Map<string, RunRecord>();
  readonly #writers = new Map<string, RecordWriter>();
  readonly #stopListening: () => void;
  /** Undefined while the thread may close. */
  #release: (() => void) | undefined;
  #isClosed = false;
  /** What the others had done when the store was read. */
  #read = "";
  #loading: Promise<void> | undefined;
  /** The keys of what was dropped since the store is being read. */
  readonly #droppedKeys = new Set<string>();
  /** Those so far. Each drops what is not known here, too. */
  #redactions = 0;
  #dropping: Promise<unknown> = Promise.resolve();
  /** Whether it was needed since the last look. */
  wasUsed = true;

  constructor(served: ServedThread, options: RunsOptions) {
    const { thread } = served;
    this.incarnation = thread.incarnation;
    this.served = served;
    this.#options = options;
    const stopListening = thread.onCommit(({ operation }) => {
      if (isRedact(operation)) this.#redact(operation.author);
    });
    const stopWaiting = thread.onClose((reason) => void this.close(reason === undefined ? "closed" : "deleted"));
    this.#stopListening = () => {
      stopListening();
      stopWaiting();
    };
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Oldest first. */
  get all(): readonly RunRecord[] {
    return [...this.#records.values()];
  }

  /** The newest run with that id: of that actor, if there is one. Others may use it, too. */
  find(runId: string, actor: Actor): RunRecord | undefined {
    const found = this.all.filter(({ head }) => head.runId === runId);
    return found.findLast(({ head }) => sameActor(head.actor, actor)) ?? found.at(-1);
  }

  begin(run: RunHead): RunRecord {
    const { nodes } = this.#options;
    const head = { ...run, ...defined({ node: nodes?.id, epoch: nodes?.epochOf(this.incarnation) }) };
    const writer = this.#writerOf(head);
    writer?.begin();
    const record = new RunRecord(head, this.#options.limits, writer);
    this.#records.set(head.key, record);
    this.#holdThread();
    return record;
  }

  drop({ head }: RunRecord): void {
    this.#records.delete(head.key);
    this.#holdThread();
    this.#dropStored([head]);
  }

  /** What processes kept that are gone, and the runs that ended at the owner before this one. */
  async load(): Promise<void> {
    const { store, nodes } = this.#options;
    if (store === undefined) return;
    // Before the store is read: what a server writes that leaves afterwards is not missed.
    const live = (await nodes?.live()) ?? new Set();
    const read = this.#others();
    await this.#dropping;
    this.#droppedKeys.clear();
    const redactions = this.#redactions;
    const stored = await store.load(this.served.thread.threadId, this.incarnation);
    if (this.#isClosed) return;
    // What was read may hold what was erased since.
    if (redactions !== this.#redactions) return this.load();
    this.#read = read;
    this.#adopt(stored.filter((run) => this.#isOver(run, live)));
  }

  /** Reads the store again when other servers are gone, or had the thread, since it was read. */
  async loadOfOthers(): Promise<void> {
    const { nodes, store } = this.#options;
    if (store === undefined || nodes === undefined) return;
    // A load that is under way may have begun before the last of them was gone.
    for (let attempt = 0; attempt < 2 && this.#others() !== this.#read; attempt += 1) {
      this.#loading ??= this.load().finally(() => (this.#loading = undefined));
      await this.#loading;
    }
  }

  async stopAdopted(): Promise<void> {
    const running = this.all.filter(({ isOver }) => !isOver);
    if (running.length === 0) return;
    const ended = await this.#takenForDead(running);
    for (const record of running)
      if (ended.has(record.head.key) && !record.isOver)
        record.onStop({
          code: "stopped",
          message: `The run was ${record.stoppedAfter}: its server was not there for a while.`,
          isServers: true,
        });
  }

  /** Those that others ended in the store; without one, those of a thread that is another's now. */
  async #takenForDead(running: readonly RunRecord[]): Promise<ReadonlySet<string>> {
    const { store, nodes } = this.#options;
    const { thread } = this.served;
    const keys = new Set<string>();
    if (store === undefined) {
      for (const { head } of running)
        if (nodes !== undefined && !(await nodes.owns(thread, head.epoch ?? 0))) keys.add(head.key);
      return keys;
    }
    for (const { head, end } of await store.load(thread.threadId, this.incarnation))
      if (end !== undefined) keys.add(head.key);
    return keys;
  }

  #others(): string {
    const { nodes } = this.#options;
    return `${nodes?.departures} ${nodes?.epochOf(this.incarnation)}`;
  }

  /** Not under way at another server. */
  #isOver({ head: { node }, end }: StoredRun, live: ReadonlySet<string>): boolean {
    return end !== undefined || node === undefined || node === this.#options.nodes?.id || !live.has(node);
  }

  #adopt(stored: readonly StoredRun[]): void {
    const known = new Map(this.#records);
    for (const run of stored) {
      const { key } = run.head;
      if (known.has(key) || this.#droppedKeys.has(key)) continue;
      known.set(key, RunRecord.stored(run, this.#options.limits, this.#writerOf(run.head)));
    }
    this.#records.clear();
    for (const record of [...known.values()].toSorted(byStart)) this.#records.set(record.head.key, record);
    this.#holdThread();
  }

  async close(why: "closed" | "deleted"): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const records = this.all;
    for (const record of records)
      if (!record.isOver)
        record.onStop({
          code: "stopped",
          message: `The run was ${record.stoppedAfter}: ${why === "deleted" ? "its thread was deleted" : "the server closed"}.`,
          isServers: why === "closed",
        });
    this.#records.clear();
    if (why === "deleted") this.#dropStored(records.map(({ head }) => head));
    this.#stopListening();
    this.#holdThread();
    await Promise.all([...this.#writers.values()].map((writer) => writer.idle()));
  }

  /** Keeps the thread open for as long as a detached run is kept. */
  #holdThread(): void {
    if (this.all.some(({ head }) => head.detached)) {
      this.#release ??= this.served.hold();
      return;
    }
    this.#release?.();
    this.#release = undefined;
  }

  #redact(author: Actor): void {
    this.#redactions += 1;
    for (const record of this.all) {
      const isTheirs = sameActor(record.head.actor, author);
      if (!record.isOver && isTheirs)
        record.onStop({
          code: "stopped",
          message: `The run was ${record.stoppedAfter}: what its person wrote was erased.`,
        });
      record.forget();
      if (record.isOver) this.drop(record);
    }
    // Those that go on are not stored any more: what was stored of them may hold it too.
    this.#dropStored(this.all.map(({ head }) => head));
  }

  #writerOf(head: RunHead): RecordWriter | undefined {
    const { store, onError } = this.#options;
    if (store === undefined) return undefined;
    const writer = new RecordWriter(store, head, onError);
    this.#writers.set(head.key, writer);
    return writer;
  }

  #dropStored(heads: readonly RunHead[]): void {
    const { store, onError } = this.#options;
    if (store === undefined || heads.length === 0) return;
    if (this.#loading !== undefined) for (const { key } of heads) this.#droppedKeys.add(key);
    // After what is being written, which would bring it back.
    const written = Promise.all(heads.flatMap(({ key }) => this.#writers.get(key)?.idle() ?? []));
    for (const { key } of heads) this.#writers.delete(key);
    const dropped = written.then(() => store.drop(heads)).catch(onError);
    this.#dropping = Promise.all([this.#dropping, dropped]);
  }
}

/** Oldest first. */
function byStart(a: RunRecord, b: RunRecord): number {
  return Date.parse(a.head.startedAt) - Date.parse(b.head.startedAt);
}
