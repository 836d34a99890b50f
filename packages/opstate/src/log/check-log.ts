// Reads all of a log and says what does not fit together. It needs no definition: history is
// replayed by its patches. With definitions, it is replayed by their reducers too.
//
//   start ── patches ──> state of each version, compared with every stored snapshot
//   commits: versions one after the other, each with its receipt
//   branches: their parent, of that incarnation, with the state that they began with
//
// Invariant: it writes nothing.

import type { AnyDefinition, Commit } from "@opstate/core";
import { fullDefinition } from "@opstate/core/definition";
import { equal } from "@opstate/core/json";
import { applyPatch } from "@opstate/core/json-patch";
import { findCommits, itemsOfPages, REDACT, type LogAdapter, type ThreadInfo, type ThreadLog } from "@opstate/core/log";
import type { OnProgress } from "./archive.ts";
import { ReplayCheck } from "./replay-check.ts";
import { readReceipts, receiptOfCommit, type Receipts, snapshotsOf } from "./stored-thread.ts";

export interface Finding {
  readonly threadId: string;
  /**
   * `damage`: something is lost or wrong. `difference`: the definition that was given does not lead
   * to what is stored. `note`: nothing is wrong, and an operator may want to know it.
   */
  readonly kind: "damage" | "difference" | "note";
  readonly what: string;
}

export interface CheckOptions {
  /**
   * Each thread is replayed by the reducers of its definition as well, and its state is checked by
   * the schema. Commits of another version of the definition are not replayed so. Default: none.
   */
  readonly definitions?: readonly AnyDefinition[];
  readonly onProgress?: OnProgress;
}

export interface Checked {
  readonly threads: number;
  readonly commits: number;
  readonly findings: readonly Finding[];
}

type Readable = Pick<LogAdapter, "thread" | "threads" | "finder">;

/**
 * Reads every thread of a log and resolves to what was found. A thread that is deleted or compacted
 * meanwhile is left out.
 *
 * @example
 * ```ts
 * import { sqliteLog } from "@opstate/server/sqlite";
 * import { checkLog } from "opstate";
 *
 * const log = sqliteLog({ path: "data/boards.sqlite" });
 * const { findings } = await checkLog(log);
 * for (const { threadId, what } of findings) console.log(`${threadId} ${what}`);
 * await log.close();
 * ```
 */
export async function checkLog(log: Readable, { definitions = [], onProgress }: CheckOptions = {}): Promise<Checked> {
  const byName = new Map(definitions.map((definition) => [definition.name, fullDefinition(definition)]));
  const findings: Finding[] = [];
  const incarnations = new Map<string, string>();
  let [threads, commits] = [0, 0];
  for await (const { threadId } of itemsOfPages((range) => log.threads(range))) {
    const info = await log.thread(threadId).info();
    if (info === undefined) continue;
    const found: Finding[] = [];
    const add = (kind: Finding["kind"], what: string) => found.push({ threadId, kind, what });
    const before = incarnations.get(info.incarnation);
    if (before !== undefined) add("damage", `has the incarnation of "${before}"`);
    incarnations.set(info.incarnation, threadId);
    const definition = byName.get(info.definition);
    if (definition === undefined && byName.size > 0 && info.definition !== REVOCATIONS)
      add("note", `holds a "${info.definition}", which is none of the definitions given`);
    const replay = definition && (await replayCheck(log, info, definition, add));
    await checkThread(log.thread(threadId, info.incarnation), info, add, replay, () => {
      commits += 1;
      onProgress?.({ threads, commits });
    });
    if (info.parent !== undefined) await checkParent(log, info, info.parent, add);
    const now = await log.thread(threadId, info.incarnation).info();
    if (now?.floor === info.floor) findings.push(...found);
    threads += 1;
    onProgress?.({ threads, commits });
  }
  return { threads, commits, findings };
}

/** The definition of the thread in which a server stores revoked rights. */
const REVOCATIONS = "opstate revocations";

type Add = (kind: Finding["kind"], what: string) => void;

async function replayCheck(
  log: Readable,
  { threadId, incarnation, parent }: ThreadInfo,
  definition: AnyDefinition,
  add: Add,
): Promise<ReplayCheck> {
  const range = { order: "descending", limit: 1 } as const;
  const erased = await findCommits(log, { threadId, incarnation }, { types: [REDACT] }, range);
  return new ReplayCheck({
    definition,
    branch: parent === undefined ? undefined : incarnation,
    erasedTo: erased.items[0]?.version ?? 0,
    onDifference: (what) => add("difference", what),
  });
}

async function checkThread(
  thread: ThreadLog,
  info: ThreadInfo,
  add: Add,
  replay: ReplayCheck | undefined,
  onCommit: () => void,
): Promise<void> {
  const { version, floor, receiptFloor = 0 } = info;
  const start = await thread.snapshotAt(floor);
  if (start?.version !== floor) return add("damage", `has no snapshot of version ${floor}, where its history begins`);
  const snapshots = new Map<number, number>();
  for await (const snapshot of snapshotsOf(thread, info)) snapshots.set(snapshot.version, snapshot.definitionVersion);

  const kept: Receipts = { accepted: new Map(), refused: new Map() };
  // Those of forgotten commits have nothing left to be compared with.
  for await (const _ of readReceipts(thread, info, kept));

  let { state, definitionVersion } = start;
  let at = floor;
  for await (const commit of itemsOfPages((range) => thread.commits({ ...range, after: floor, before: version + 1 }))) {
    onCommit();
    if (commit.version !== at + 1)
      return add("damage", `has no version ${at + 1}: version ${commit.version} follows ${at}`);
    at += 1;
    const next = applied(state, commit);
    if (!next.ok) return add("damage", `cannot be replayed: the patches of version ${at} do not hold: ${next.why}`);
    replay?.commit(commit, state, next.state);
    ({ state } = next);
    ({ definitionVersion } = commit);
    if (at > receiptFloor && receiptOfCommit(commit, kept.accepted.get(at) ?? []) === undefined)
      add("damage", `has no receipt of version ${at}: its submission, sent again, would have a second effect`);
    if (snapshots.has(at) && !equal((await thread.snapshotAt(at))?.state, state, Infinity))
      add("damage", `has a snapshot of version ${at} that is not what its commits lead to`);
  }
  replay?.end(state, definitionVersion);
  if (at !== version) add("damage", `ends at version ${at}, and its head says ${version}`);
  for (const receipts of kept.accepted.values())
    for (const { outcome, id } of receipts)
      if (outcome.accepted && outcome.version > at)
        add("damage", `has a receipt of version ${outcome.version} ("${id.slice(0, 60)}"), which it does not reach`);
}

function applied(
  state: unknown,
  { patches }: Commit,
): { readonly ok: true; readonly state: unknown } | { readonly ok: false; readonly why: string } {
  const result = applyPatch(state, patches);
  return result.ok ? { ok: true, state: result.document } : { ok: false, why: result.error.message };
}

async function checkParent(
  log: Readable,
  branch: ThreadInfo,
  { threadId, version, incarnation }: NonNullable<ThreadInfo["parent"]>,
  add: Add,
): Promise<void> {
  const parent = log.thread(threadId, incarnation);
  const info = await parent.info();
  if (info === undefined)
    return add(
      "note",
      `is a branch of "${threadId}", which is deleted: no actor can read it, and the next deletion removes it too`,
    );
  if (version > info.version)
    return add("damage", `begins at version ${version} of "${threadId}", which ends at ${info.version}`);
  // What is compacted on either side cannot be compared.
  if (version < info.floor || branch.floor > 0) return;
  const [from, own] = [
    await parent.snapshotAt(version),
    await log.thread(branch.threadId, branch.incarnation).snapshotAt(0),
  ];
  if (from === undefined || own === undefined) return;
  let { state } = from;
  const range = { after: from.version, before: version + 1 };
  for await (const commit of itemsOfPages((page) => parent.commits({ ...page, ...range }))) {
    const next = applied(state, commit);
    // The parent's own check says so.
    if (!next.ok) return;
    state = next.state;
  }
  if (!equal(own.state, state, Infinity)) add("damage", `does not begin with version ${version} of "${threadId}"`);
}
