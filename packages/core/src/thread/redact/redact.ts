// Erases what an actor wrote from a thread and its branches.
//
//   1  what the actor wrote is collected: commits, refusals, on the thread and its branches
//   2  open proposals that go with it are declined
//   3  everything else is rewritten without it     branches ─ thread ─ refusals of others
//   4  the actor's own documents are               branches ─ refusals, receipts
//   5  the history up to the actor's last commit is removed
//   6  `$redact` commits say so                    thread ─ branches
//
// Invariants:
// - Each step may be repeated. A step that needs what was collected comes before the actor's own
//   documents are rewritten, so after a crash the next call collects it again.
// - The present state never changes, and every kept version can still be read.
// - What was submitted meanwhile is looked at again before the end.
//
// (Long because the steps follow one another here.)

import { type Actor, sameActor } from "../../engine/actor.ts";
import { OpstateError } from "../../error.ts";
import { branchesOf } from "../branch/branches-of.ts";
import type { Commit, Verdict } from "../commit.ts";
import { APPROVE, DECLINE, MERGE } from "../entries.ts";
import { incarnationLog } from "../log/incarnation-log.ts";
import type { FullLog, Receipt, StoredSnapshot, ThreadInfo } from "../log/log.ts";
import { ERASED_HASH } from "../log/operation-hash.ts";
import { pagesOf } from "../log/pages.ts";
import { readPages } from "../log/scan.ts";
import { readSnapshotAt } from "../log/state-at.ts";
import { authorOf } from "../origin.ts";
import { Pace, type Scheduler } from "../pace.ts";
import type { RedactOptions } from "../options.ts";
import type { Redacted } from "../results.ts";
import type { Branch, Thread } from "../thread.ts";
import { Blanks } from "./blanks.ts";
import { blankCommit, blankReceipt, contentOf } from "./documents.ts";
import { Written } from "./written.ts";

/** Others may go on submitting: how often all is looked at again. */
const PASSES = 5;

export interface RedactContext {
  readonly log: FullLog;
  readonly info: ThreadInfo;
  readonly scheduler: Scheduler;
  readonly thread: () => Thread;
  openBranch(id: string): Promise<Branch | undefined>;
  /** Resolves when no snapshot is being stored. */
  idle(): Promise<void>;
  compactedTo(version: number): void;
}

/** Commits the mark on a thread that is open. */
export type Mark = (options: RedactOptions) => Promise<Verdict>;

/** How each open thread is marked. */
export const marks = new WeakMap<Thread, Mark>();

/** One thread of the tree. */
interface Part {
  readonly threadId: string;
  readonly log: FullLog;
  readonly thread: Thread;
  readonly isMain: boolean;
  readonly version: number;
  readonly floor: number;
  readonly blanks: () => Blanks;
  /** Commits of the actor. */
  readonly own: ReadonlySet<number>;
}

type ClosedProposal = Redacted["proposals"][number];

export async function redact(context: RedactContext, options: RedactOptions): Promise<Redacted> {
  const marked = new Map<string, string>();
  const written = new Written();
  const closed: ClosedProposal[] = [];
  for (let pass = 1; ; pass++) {
    await context.idle();
    const parts = await collect(context, options.actor, written, marked);
    const [main, ...branches] = parts;
    if (main === undefined) throw new Error("A thread is a part of its tree");
    const erased = main.own.size === 0 ? main.floor : Math.max(main.floor, ...main.own);
    const declined = await closeProposals(parts, erased, options);
    closed.push(...declined);
    const floors = new Map<Part, number>();
    for (const part of [...branches, main]) floors.set(part, await rewriteOthers(context, part, erased, options.actor));
    for (const part of parts) await rewriteVerdicts(part, options.actor, false);
    for (const part of branches) await rewriteOwn(context, part);
    for (const part of parts) await rewriteVerdicts(part, options.actor, true);
    let floor = main.floor;
    for (const part of parts) {
      const reached = await compact(context, part, floors.get(part) ?? 0);
      if (part.isMain) floor = reached;
    }
    context.compactedTo(floor);
    const isQuiet = declined.length === 0 && parts.every(({ thread, version }) => thread.version === version);
    if (!isQuiet && pass < PASSES) continue;
    let version = 0;
    for (const { thread, isMain } of parts) {
      const verdict = await marks.get(thread)?.(options);
      if (verdict?.accepted !== true) throw notMarked(thread.threadId, verdict);
      if (isMain) ({ version } = verdict);
    }
    return { version, floor, proposals: closed, branches: branches.map(({ threadId }) => threadId) };
  }
}

/** The threads of the tree, the main one first, and what the actor wrote in them. */
async function collect(
  { log, info, scheduler, thread, openBranch }: RedactContext,
  actor: Actor,
  written: Written,
  marked: Map<string, string>,
): Promise<readonly Part[]> {
  const threads: Thread[] = [thread()];
  for (const { threadId } of await branchesOf(log, info)) {
    const branch = await openBranch(threadId);
    if (branch !== undefined) threads.push(branch);
  }
  const pace = new Pace(scheduler);
  const found: Part[] = [];
  for (const open of threads) {
    const { threadId, incarnation, version } = open;
    const isMain = open === threads[0];
    const own = new Set<number>();
    const ownLog = incarnationLog(log, { threadId, incarnation });
    const state = open.getState();
    let blanks: Blanks | undefined;
    for await (const page of readPages(ownLog, threadId, { actor }, pace))
      for (const commit of page) {
        own.add(commit.version);
        written.addCommit(commit);
      }
    // An actor is a commit's author, or the one who approved, merged or declined.
    for await (const page of readPages(ownLog, threadId, { types: [APPROVE, MERGE, DECLINE] }, pace))
      for (const commit of page) if (sameActor(commit.actor, actor)) own.add(commit.version);
    const floor = (await ownLog.info(threadId))?.floor ?? 0;
    const receipts = await receiptsOf(ownLog, threadId, (receipt) => sameActor(receipt.actor, actor));
    for (const { outcome } of receipts) if (!outcome.accepted) written.addOperation(outcome.refusal.operation);
    // What the actor wrote is not known any more, only what there was then.
    const isCompacted = ({ hash, outcome }: Receipt) =>
      hash !== ERASED_HASH && outcome.accepted && outcome.version > 0 && outcome.version <= floor;
    if (receipts.some(isCompacted)) written.add((await readSnapshotAt(ownLog, threadId, floor, scheduler)).state);
    found.push({
      threadId,
      log: ownLog,
      thread: open,
      isMain,
      version,
      floor,
      own,
      blanks: () => (blanks ??= new Blanks(written, state, marked)),
    });
  }
  return found;
}

async function receiptsOf(
  log: FullLog,
  threadId: string,
  isWanted: (receipt: Receipt) => boolean,
): Promise<readonly Receipt[]> {
  const wanted: Receipt[] = [];
  for await (const page of pagesOf((range) => log.thread(threadId).receipts(range)))
    wanted.push(...page.filter(isWanted));
  return wanted;
}

/** Those of the actor, those in what is removed, and those that show what the actor wrote. */
async function closeProposals(
  parts: readonly Part[],
  erased: number,
  { actor, by }: RedactOptions,
): Promise<readonly ClosedProposal[]> {
  const closed: ClosedProposal[] = [];
  for (const { thread, isMain, blanks } of parts) {
    for (const { id, version, actor: proposer } of await thread.proposals()) {
      const [entry] = await thread.history({ after: version - 1, before: version + 1 });
      const shows = entry?.kind === "commit" && blanks().holds(contentOf(entry.commit));
      if (!sameActor(proposer, actor) && !(isMain && version <= erased) && !shows) continue;
      const reason = `What ${actor.kind} ${actor.id} wrote is erased, and this with it. Propose it again if it is still wanted.`;
      await thread.decline(id, { actor: by, proposedAt: version, reason, allows: () => true });
      closed.push({ threadId: thread.threadId, id, version });
    }
  }
  return closed;
}

/**
 * Rewrites snapshots and commits of others, in what stays. Resolves to the version up to which all
 * has to go, since it holds what the actor wrote where a mark cannot stand.
 */
async function rewriteOthers({ scheduler }: RedactContext, part: Part, erased: number, actor: Actor): Promise<number> {
  const { log, threadId, isMain, version, floor, own } = part;
  const blanks = part.blanks();
  const pace = new Pace(scheduler);
  const handle = log.thread(threadId);
  const start = isMain ? erased : floor;
  let last = start;
  for await (const page of readPages(log, threadId, { after: start, before: version + 1 }, pace)) {
    const changed: Commit[] = [];
    for (const commit of page) {
      if (pace.isOver) await pace.next();
      if (!blanks.holds(contentOf(commit))) continue;
      const blank = blankCommit(commit, blanks);
      if (blanks.holds(contentOf(blank))) last = commit.version;
      // The actor's own ones still say what was written.
      if (own.has(commit.version) && sameActor(authorOf(commit).actor, actor))
        changed.push({ ...blank, operation: commit.operation, patches: commit.patches });
      else changed.push(blank);
    }
    if (changed.length > 0) await handle.rewrite({ commits: changed });
  }
  for (let at = version; at >= Math.max(start, last);) {
    const snapshot = await handle.snapshotAt(at);
    if (snapshot === undefined || snapshot.version < start) break;
    const blank = blankSnapshot(snapshot, blanks);
    if (blank !== snapshot) await handle.rewrite({ snapshots: [blank] });
    if (blanks.holds(blank.state)) last = Math.max(last, blank.version + 1);
    at = snapshot.version - 1;
  }
  return Math.min(last, version);
}

function blankSnapshot(snapshot: StoredSnapshot, blanks: Blanks): StoredSnapshot {
  const state = blanks.value(snapshot.state);
  return state === snapshot.state ? snapshot : { ...snapshot, state };
}

/** The actor's own commits on a branch, which keeps its history. */
async function rewriteOwn({ scheduler }: RedactContext, part: Part): Promise<void> {
  const { log, threadId, own, version } = part;
  const blanks = part.blanks();
  for await (const page of readPages(log, threadId, { before: version + 1 }, new Pace(scheduler))) {
    const commits = page.filter((commit) => own.has(commit.version)).map((commit) => blankCommit(commit, blanks));
    if (commits.length > 0) await log.thread(threadId).rewrite({ commits });
  }
}

/** Refusals of others, or the actor's refusals and receipts. */
async function rewriteVerdicts({ log, threadId, blanks }: Part, actor: Actor, isOwn: boolean): Promise<void> {
  for await (const page of pagesOf((range) => log.thread(threadId).receipts(range))) {
    const wanted = page.filter(
      (receipt) => sameActor(receipt.actor, actor) === isOwn && (isOwn || !receipt.outcome.accepted),
    );
    const receipts = wanted.map((receipt) => blankReceipt(receipt, actor, blanks()));
    if (receipts.length > 0) await log.thread(threadId).rewrite({ receipts });
  }
}

/** Removes what is before; what an earlier call left of that is removed too. */
async function compact({ scheduler }: RedactContext, part: Part, version: number): Promise<number> {
  const { log, threadId, floor } = part;
  const blanks = part.blanks();
  for (let wanted = Math.max(version, floor); ;) {
    const snapshot = blankSnapshot(await readSnapshotAt(log, threadId, wanted, scheduler), blanks);
    if (wanted < part.version && blanks.holds(snapshot.state)) {
      // It holds it in a key: nothing before the present state can stay.
      wanted = part.version;
      continue;
    }
    if (wanted === 0) return 0;
    return log.thread(threadId).compact(snapshot);
  }
}

function notMarked(threadId: string, verdict: Verdict | undefined): OpstateError {
  const why = verdict?.accepted === false ? verdict.rejection.message : "it is closed.";
  return new OpstateError(
    "log_unavailable",
    `Thread "${threadId}" could not say that it was erased: ${why} Call redact again.`,
  );
}
