// Puts the lines of an export into a log. It writes through the log's own calls, so the log checks
// what it stores.
//
//   forgotten commits:  the log gets one empty commit for each, with the receipts that are left
//                       of them, and is compacted. So it has their ids, and not the commits.
//
// Invariants:
// - A thread keeps its incarnation. So branches find their parents, and pages go on from where they
//   were.
// - A thread that is there already is not touched: the restore fails before.
// - Text that is cut off or is no export fails, with the number of its line.
//
// (Long because each kind of line has its own way into a log.)

import { defined, type Commit, OpstateError } from "@opstate/core";
import {
  entryBytes,
  type Entry,
  type LogAdapter,
  type Receipt,
  type StoredSnapshot,
  type ThreadInfo,
  type ThreadLog,
} from "@opstate/core/log";
import { FORMAT, type Line, type OnProgress, type Progress } from "./archive.ts";

export interface RestoreOptions {
  readonly onProgress?: OnProgress;
}

/** Entries of one append. */
const BATCH_SIZE = 500;
const OPSTATE = { kind: "system", id: "opstate" };

/**
 * Restores an export into a log that has none of its threads. Takes text in pieces of any size.
 * Resolves to what was restored. Throws an OpstateError: `corrupt_log` for lines that are cut off
 * or do not fit together, `invalid_id` when a thread is there already. What was restored before
 * stays: begin again with an empty log.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs";
 * import { sqliteLog } from "@opstate/server/sqlite";
 * import { restoreLog } from "opstate";
 *
 * const restore = (file: string, path: string) => restoreLog(sqliteLog({ path }),
 * createReadStream(file, "utf8"));
 * ```
 */
export async function restoreLog(
  log: Pick<LogAdapter, "thread" | "limits">,
  pieces: AsyncIterable<string>,
  { onProgress }: RestoreOptions = {},
): Promise<Progress> {
  let [threads, commits, number] = [0, 0, 0];
  let present: RestoredThread | undefined;
  let isDone = false;
  const fault = (what: string) => new OpstateError("corrupt_log", `Line ${number} of the export ${what}.`);

  for await (const line of linesIn(pieces)) {
    number += 1;
    if (isDone) throw fault("comes after its end");
    const read = parseLine(line);
    if (read === undefined) throw fault("is not JSON: the export is damaged, or no export");
    if (number === 1) {
      if (!("opstate" in read)) throw fault("is not the beginning of an export");
      if (read.opstate.format !== FORMAT)
        throw fault(
          `says format ${read.opstate.format}; this release reads format ${FORMAT}. Use the one that wrote it`,
        );
    } else if ("end" in read) {
      if (present !== undefined || read.end.threads !== threads)
        throw fault(`says that there are ${read.end.threads} threads; ${threads} came before it`);
      isDone = true;
    } else if ("thread" in read) {
      if (present !== undefined) throw fault("begins a thread inside of another");
      present = new RestoredThread(log, read.thread);
    } else if (present === undefined) {
      if (!("discard" in read)) throw fault("belongs to no thread");
    } else if ("discard" in read) {
      await present.discard();
      present = undefined;
    } else if ("threadEnd" in read) {
      await present.end();
      if (read.threadEnd.commits !== present.commits)
        throw fault(`says that the thread has ${read.threadEnd.commits} commits; ${present.commits} came before it`);
      commits += present.commits;
      threads += 1;
      present = undefined;
      onProgress?.({ threads, commits });
    } else {
      await present.take(read);
      if ("entry" in read || "commit" in read) onProgress?.({ threads, commits: commits + present.commits });
    }
  }
  if (isDone) return { threads, commits };
  throw new OpstateError(
    "corrupt_log",
    `The export is cut off after line ${number}. Begin again with the whole of it, and an empty log.`,
  );
}

class RestoredThread {
  readonly #thread: ThreadLog;
  readonly #info: ThreadInfo;
  readonly #limits: LogAdapter["limits"];
  #start: StoredSnapshot | undefined;
  #version = 0;
  #isPastFloor = false;
  #batch: Entry[] = [];
  #bytes = 0;
  commits = 0;

  constructor(log: Pick<LogAdapter, "thread" | "limits">, info: ThreadInfo) {
    this.#thread = log.thread(info.threadId, info.incarnation);
    this.#info = info;
    this.#limits = log.limits;
  }

  async take(line: Line): Promise<void> {
    const { floor } = this.#info;
    if ("start" in line) return this.#create(line.start);
    if ("forgotten" in line)
      return this.#add(
        this.#version < floor
          ? { receipt: line.forgotten, commit: this.#forgotten(line.forgotten) }
          : { receipt: line.forgotten },
      );
    await this.#passFloor();
    if ("entry" in line) {
      this.commits += 1;
      return this.#add(line.entry);
    }
    if ("commit" in line) {
      this.commits += 1;
      return this.#add({
        receipt: placeholderReceipt(line.commit.version, this.#info.receiptFloor),
        commit: line.commit,
      });
    }
    if ("unchanged" in line) return this.#add({ receipt: line.unchanged });
    if ("refusal" in line) return this.#add({ receipt: line.refusal });
    if ("snapshot" in line) {
      await this.#store();
      return this.#thread.saveSnapshot(line.snapshot);
    }
    // A kind of line that a later release writes.
  }

  async end(): Promise<void> {
    const { threadId, version, floor, receiptFloor } = this.#info;
    await this.#passFloor();
    await this.#store();
    if (receiptFloor !== undefined) await this.#thread.dropReceipts(receiptFloor);
    const info = await this.#thread.info();
    if (info?.version !== version || info.floor !== floor)
      throw new OpstateError(
        "corrupt_log",
        `Thread "${threadId}" should have the versions ${floor} to ${version}; it has ${info?.floor} to ${info?.version}.`,
      );
  }

  /** It was deleted while it was exported. */
  async discard(): Promise<void> {
    this.#batch = [];
    if (this.#start !== undefined) await this.#thread.delete({ branches: "keep" });
  }

  async #create(start: StoredSnapshot): Promise<void> {
    const { threadId, definition, createdAt: at, parent } = this.#info;
    this.#start = start;
    const { definitionVersion, state } = start;
    const created = await this.#thread.create({
      definition,
      definitionVersion,
      state,
      at,
      checkParent: false,
      ...defined({ parent }),
    });
    if (created.status === "created" && created.info.version === 0) return;
    throw new OpstateError(
      "invalid_id",
      created.status === "deleted"
        ? `Thread "${threadId}" was in this log and is deleted, for good. Restore into an empty log.`
        : `Thread "${threadId}" is in this log already. Restore into an empty log.`,
    );
  }

  /** Compacts the thread, once all receipts of forgotten commits are there. */
  async #passFloor(): Promise<void> {
    const { floor, receiptFloor = 0 } = this.#info;
    const start = this.#start;
    if (start === undefined) throw new OpstateError("corrupt_log", `Thread "${this.#info.threadId}" has no start.`);
    // Fewer receipts than forgotten commits: those up to `receiptFloor` are gone, as these will be.
    while (this.#version < floor) {
      const receipt = placeholderReceipt(this.#version + 1, receiptFloor);
      await this.#add({ receipt, commit: this.#forgotten(receipt) });
    }
    if (floor === 0 || this.#isPastFloor) return;
    this.#isPastFloor = true;
    await this.#store();
    await this.#thread.compact(start);
  }

  /** In the place of a commit that is known by its receipt alone, until the log is compacted. */
  #forgotten({ id, actor }: Receipt): Commit {
    const version = this.#version + 1;
    const definitionVersion = this.#start?.definitionVersion ?? 1;
    const at = this.#info.createdAt;
    return { version, id, operation: { type: "$batch" }, actor, at, patches: [], inverse: [], definitionVersion };
  }

  async #add(entry: Entry): Promise<void> {
    const bytes = entryBytes(entry);
    const { entries, bytes: most } = this.#limits;
    if (this.#batch.length >= Math.min(BATCH_SIZE, entries) || this.#bytes + bytes > Math.min(most, BATCH_BYTES))
      await this.#store();
    this.#batch.push(entry);
    this.#bytes += bytes;
    this.#version = entry.commit?.version ?? this.#version;
  }

  async #store(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    const version = this.#version - batch.filter(({ commit }) => commit !== undefined).length;
    this.#batch = [];
    this.#bytes = 0;
    const { status } = await this.#thread.append({ version }, batch);
    if (status !== "appended")
      throw new OpstateError(
        "corrupt_log",
        `The log took nothing of thread "${this.#info.threadId}" at version ${version}: ${status}.`,
      );
  }
}

/** In the place of a receipt that is gone, until `dropReceipts`: no commit is appended without. */
function placeholderReceipt(version: number, receiptFloor = 0): Receipt {
  const outcome = { accepted: true, version: Math.min(version, receiptFloor) } as const;
  return { actor: OPSTATE, id: `forgotten-${version}`, hash: "", outcome };
}

/** Bytes of one append. */
const BATCH_BYTES = 4 * 1024 * 1024;

async function* linesIn(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest: string[] = [];
  for await (const piece of pieces) {
    const lines = piece.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      rest.push(line);
      yield rest.join("");
      rest = [];
    }
    rest.push(last);
  }
  const last = rest.join("");
  if (last !== "") yield last;
}

/** Undefined for what is not a line of an export. */
function parseLine(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // An export is trusted as a backup is: the log checks versions and ids, not every member.
    return typeof value === "object" && value !== null ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}
