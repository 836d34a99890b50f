// Records of runs in durable streams, which outlive the process.
//
//   runs/<key>       head, then { after, events } for each write, then { end, at },
//                    then { delivered } when its reader got the end
//   runs-of/<hash>   { begin: key } and { drop: key }, in their order; the hash is that of the
//                    thread's id and incarnation
//
// Invariants:
// - A run is named in its thread's list once its own stream is there, and until that is deleted.
// - What breaks between two writes leaves a stream that no list names. Its time to live ends it.
// - A list that several servers write stays when it is empty, until its time to live is over: one
//   may begin a run while another drops the last.

import { defined } from "@opstate/core";
import { RunQueue } from "@opstate/core/run-queue";
import { createHash } from "node:crypto";
import type { RunEnd, RunHead, RunStore, StoredRun } from "./run-store.ts";

/** What is needed of a store of durable streams. Every store of `@opstate/streams` has it. */
export interface RunStreams {
  create(id: string, stream: NewRunStream): Promise<{ readonly status: string }>;
  append(id: string, append: Pick<NewRunStream, "messages">): Promise<{ readonly status: string }>;
  read(id: string, range: { readonly position: number }): Promise<RunStreamPage | { readonly status: Missing }>;
  delete(id: string): Promise<unknown>;
}

interface NewRunStream {
  readonly contentType: string;
  /** Seconds. */
  readonly ttl: number;
  readonly messages: readonly Uint8Array[];
}

interface RunStreamPage {
  readonly status: "found";
  readonly info: { readonly tail: number };
  readonly messages: readonly Uint8Array[];
  readonly next: number;
}

type Missing = "unknown" | "gone" | "beyond";

export interface StreamRunsOptions {
  /** Days after the last read or write at which a run is gone; default 7. */
  readonly days?: number;
}

type RunEntry =
  | { readonly head: RunHead }
  | { readonly after: number; readonly events: readonly string[] }
  | { readonly end: RunEnd; readonly at: string }
  | { readonly delivered: true };

type ListEntry = { readonly begin: string } | { readonly drop: string };

const CONTENT_TYPE = "application/json";

/**
 * Keeps runs in a store of durable streams, so that they outlive the process. The application
 * closes the store, after the server. Throws a RangeError for days that are none.
 *
 * @example
 * ```ts
 * import { createServer, streamRuns } from "@opstate/server";
 * import { sqliteStreams } from "@opstate/streams/sqlite";
 *
 * const streams = sqliteStreams({ path: "data/runs.sqlite" });
 * const server = createServer({ definitions: [board], log, authorize, runs: { store: streamRuns(streams) } });
 * ```
 */
export function streamRuns(streams: RunStreams, { days = 7 }: StreamRunsOptions = {}): RunStore {
  if (!(days > 0)) throw new RangeError(`\`days\` must be a number above 0, not ${days}.`);
  const ttl = Math.ceil(days * 24 * 60 * 60);

  /** A list that ends and begins anew at the same time is written by one after the other. */
  const turns = new RunQueue();

  async function append(id: string, ...entries: readonly (RunEntry | ListEntry)[]): Promise<void> {
    const { status } = await streams.append(id, { messages: entries.map(toBytes) });
    // It was dropped in the meantime.
    if (status === "unknown" || status === "gone" || status === "appended") return;
    throw new Error(`The stream "${id}" of a run could not be written: ${status}.`);
  }

  async function create(id: string, ...entries: readonly (RunEntry | ListEntry)[]): Promise<boolean> {
    const { status } = await streams.create(id, { contentType: CONTENT_TYPE, ttl, messages: entries.map(toBytes) });
    // One that differs was made with another number of days.
    if (status === "created" || status === "exists" || status === "differs") return status === "created";
    throw new Error(`The stream "${id}" of a run could not be made: ${status}.`);
  }

  async function readAll<Entry>(id: string): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    for (let position = 0; ;) {
      const read = await streams.read(id, { position });
      if (read.status !== "found") return entries;
      for (const message of read.messages) entries.push(JSON.parse(DECODER.decode(message)) as Entry);
      if (read.next >= read.info.tail) return entries;
      position = read.next;
    }
  }

  async function keysIn(list: string): Promise<ReadonlySet<string>> {
    const keys = new Set<string>();
    for (const entry of await readAll<ListEntry>(list)) {
      if ("begin" in entry) keys.add(entry.begin);
      else keys.delete(entry.drop);
    }
    return keys;
  }

  async function loadRun(key: string): Promise<StoredRun | undefined> {
    const [first, ...entries] = await readAll<RunEntry>(runId(key));
    if (first === undefined || !("head" in first)) return undefined;
    const events: string[] = [];
    let end: StoredRun["end"];
    let delivered: StoredRun["delivered"];
    for (const entry of entries) {
      if ("end" in entry) end = { status: entry.end, at: entry.at };
      if ("delivered" in entry) ({ delivered } = entry);
      if (!("events" in entry)) continue;
      events.length = Math.min(events.length, entry.after);
      events.push(...entry.events);
    }
    return { head: first.head, events, ...defined({ end, delivered }) };
  }

  async function dropFrom(list: string, heads: readonly RunHead[]): Promise<void> {
    for (const { key } of heads) await streams.delete(runId(key));
    await append(list, ...heads.map(({ key }) => ({ drop: key })));
    if (heads.some(({ node }) => node !== undefined)) return;
    if ((await keysIn(list)).size === 0) await streams.delete(list);
  }

  return {
    async begin(head) {
      await create(runId(head.key), { head });
      const list = listId(head);
      const begin = { begin: head.key };
      await turns.run(list, async () => {
        if (!(await create(list, begin))) await append(list, begin);
      });
    },
    append: ({ key }, after, events) => append(runId(key), { after, events }),
    end: ({ key }, status, at) => append(runId(key), { end: status, at }),
    deliver: ({ key }) => append(runId(key), { delivered: true }),
    async load(threadId, incarnation) {
      const keys = await keysIn(listId({ threadId, incarnation }));
      const runs: StoredRun[] = [];
      for (const key of keys) {
        const run = await loadRun(key);
        if (run !== undefined) runs.push(run);
      }
      return runs;
    },
    async drop(heads) {
      for (const list of new Set(heads.map(listId))) {
        const ofList = heads.filter((head) => listId(head) === list);
        await turns.run(list, () => dropFrom(list, ofList));
      }
    },
  };
}

const DECODER = new TextDecoder();
const ENCODER = new TextEncoder();

function toBytes(entry: object): Uint8Array {
  return ENCODER.encode(JSON.stringify(entry));
}

function runId(key: string): string {
  return `runs/${key}`;
}

/** Of fixed length: a thread's id may be as long as an id of a stream. */
function listId({ threadId, incarnation }: Pick<RunHead, "threadId" | "incarnation">): string {
  const thread = createHash("sha256")
    .update(JSON.stringify([threadId, incarnation]))
    .digest("hex");
  return `runs-of/${thread}`;
}
