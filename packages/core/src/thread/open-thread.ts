// Opens a thread: loads or creates it, and puts the authority, the log and the listeners together.
//
// Invariant: whatever a listener is told is durable and is already what `getState` and `version` say.

import type { AnyDefinition } from "../definition/definition.ts";
import type { Actor } from "../engine/actor.ts";
import { OpstateError } from "../error.ts";
import { createSource } from "../readable.ts";
import { Authority } from "./authority.ts";
import { applyCommits, type Confirmed, confirm, confirmCommit } from "./confirmed.ts";
import type { Commit, Refusal, Verdict } from "./commit.ts";
import type { Computed } from "./decide.ts";
import { digest } from "./digest.ts";
import { explain } from "./explain.ts";
import { readHistory } from "./history.ts";
import { type Intake, takeIn } from "./intake.ts";
import { Listeners } from "./listeners.ts";
import type { Log, StoredThread } from "./log.ts";
import { checkDefinition, migration, storedVersion } from "./migrate.ts";
import { randomId } from "./mint-id.ts";
import { backwards } from "./past.ts";
import { readStateAt } from "./state-at.ts";
import { computeApproval, computeDecline, computeProposal } from "./proposal.ts";
import type { DispatchOptions, Right, Thread } from "./thread.ts";
import { computeUndo } from "./undo.ts";

export interface OpenThreadOptions<D extends AnyDefinition> {
  readonly definition: D;
  readonly log: Log;
  readonly threadId: string;
  /** The time that commits are stamped with, ISO 8601 in UTC; default now. */
  readonly clock?: () => string;
  /** Gives ids to submissions that have none; default 32 random hex digits. */
  readonly mintId?: () => string;
  /** A snapshot is stored after this many commits, so that opening need not replay them; default 500. */
  readonly snapshotEvery?: number;
  /** Hears what a listener threw. Default: an unhandled rejection. */
  readonly onError?: (error: unknown) => void;
}

/** Tokens of a digest unless told. */
const DIGEST_BUDGET = 500;
/** Commits that a digest looks at: older ones are counted. */
const DIGEST_READ = 500;

/**
 * Opens a thread, and creates it when the log does not have it. The returned thread is the authority over its order: open it once per
 * process. Throws an OpstateError: `definition_mismatch` when the stored thread is of another definition or a newer version of it,
 * `corrupt_log` when what is stored does not fit together.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const verdict = await thread.dispatch(counter.op.add({ by: 1 }), { actor: { kind: "user", id: "ada" } });
 * verdict.accepted; // true
 * thread.version; // 1
 * thread.getState(); // { count: 1 }
 * ```
 */
export async function openThread<D extends AnyDefinition>(options: OpenThreadOptions<D>): Promise<Thread<D>> {
  const { definition, log, threadId, clock = now, mintId = randomId, snapshotEvery = 500, onError } = options;
  const start = await load(definition, log, threadId, clock);
  const source = createSource(start.confirmed.state, onError);
  const commitListeners = new Listeners<Commit>(onError);
  const refusalListeners = new Listeners<Refusal>(onError);
  let savedVersion = start.savedVersion;
  let saving: Promise<void> | undefined;
  let closed = false;

  const authority = new Authority({
    definition,
    log,
    threadId,
    confirmed: start.confirmed,
    version: start.version,
    onCommit(commit, state) {
      source.set(state)();
      commitListeners.tell(commit);
      if (commit.version - savedVersion >= snapshotEvery) save(commit.version, state);
    },
    onRefusal: (refusal) => refusalListeners.tell(refusal),
  });

  const unwatch = log.watch?.(threadId, (head) => authority.follow(head));

  /** Beside the commits: a snapshot only saves time, so one that fails is tried again later. */
  function save(version: number, state: unknown): void {
    if (saving !== undefined) return;
    savedVersion = version;
    saving = Promise.resolve()
      .then(() => log.saveSnapshot(threadId, { version, state, definitionVersion: definition.version }))
      .catch(() => undefined)
      .then(() => void (saving = undefined));
  }

  function mustBeOpen(): void {
    if (closed) throw new OpstateError("closed", `Thread "${threadId}" is closed. Open it again with openThread.`);
  }

  /** Submits what the reducer alone cannot judge. */
  async function submitComputed(
    asked: object,
    options: DispatchOptions,
    compute: (intake: Intake, standing: { readonly confirmed: Confirmed; readonly version: number }) => Promise<Computed>,
  ): Promise<Verdict> {
    mustBeOpen();
    const taken = takeIn(definition, asked, options, { id: mintId, now: clock });
    if (!taken.ok) return { accepted: false, version: authority.version, rejection: taken.rejection, attempt: 1 };
    const { intake } = taken;
    return authority.submit({ ...intake, compute: (standing) => compute(intake, standing) });
  }

  const thread: Thread = {
    threadId,
    definition,
    incarnation: start.incarnation,
    get version() {
      return authority.version;
    },
    getState: source.getState,
    getInitialState: source.getInitialState,
    subscribe: source.subscribe,

    async dispatch(update, dispatchOptions) {
      mustBeOpen();
      const taken = takeIn(definition, update, dispatchOptions, { id: mintId, now: clock });
      if (!taken.ok) return { accepted: false, version: authority.version, rejection: taken.rejection, attempt: 1 };
      return authority.submit(taken.intake);
    },

    async undo(target, { onDependent, allows, ...options }) {
      const asked = { type: "$undo", ...target, ...(onDependent === undefined ? {} : { onDependent }) };
      return submitComputed(asked, options, ({ actor, operation }, standing) => {
        const others = allows?.("undo") ?? !["agent", "webhook"].includes(actor.kind);
        return computeUndo({ definition, log, threadId, actor, others }, standing, operation);
      });
    },

    async propose(update, { expiresAt, ...options }) {
      const asked = { type: "$propose", operation: update, ...(expiresAt === undefined ? {} : { expiresAt }) };
      return submitComputed(asked, options, async ({ actor, operation }, standing) =>
        computeProposal(definition, actor, standing, operation),
      );
    },

    async approve(proposal, { allows, ...options }) {
      return submitComputed({ type: "$approve", proposal }, options, ({ actor, at }, standing) =>
        computeApproval({ definition, log, threadId, actor, at, may: mayApprove(actor, allows) }, standing, proposal),
      );
    },

    async decline(proposal, { allows, reason, ...options }) {
      const asked = { type: "$decline", proposal, ...(reason === undefined ? {} : { reason }) };
      return submitComputed(asked, options, ({ actor, at }, standing) =>
        computeDecline({ definition, log, threadId, actor, at, may: mayApprove(actor, allows) }, standing, proposal, reason),
      );
    },

    async history(range = {}) {
      mustBeOpen();
      return readHistory(log, threadId, range);
    },

    async stateAt(version) {
      mustBeOpen();
      if (!Number.isSafeInteger(version) || version < 0 || version > authority.version) {
        throw new RangeError(`Thread "${threadId}" has the versions 0 to ${authority.version}, not ${version}.`);
      }
      if (version === authority.version) return source.getState();
      return readStateAt(log, threadId, version);
    },

    async explain(pointer) {
      mustBeOpen();
      return explain(source.getState(), pointer, backwards(log, threadId, authority.version));
    },

    async digest({ since, for: reader, budget = DIGEST_BUDGET }) {
      mustBeOpen();
      const after = Math.max(since, authority.version - DIGEST_READ);
      const commits = after >= authority.version ? [] : await log.read(threadId, { after });
      return digest(definition, commits, { since, unread: after - since, for: reader, budget });
    },

    onCommit: (listener) => commitListeners.add(listener),
    onRejection: (listener) => refusalListeners.add(listener),

    async close() {
      closed = true;
      unwatch?.();
      await authority.idle();
      await saving;
    },
  };
  // Inside, states and operations are JSON; to the caller they are what its definition says.
  return thread as Thread<D>;
}

/** The stored thread as today's definition has it. */
async function load(
  definition: AnyDefinition,
  log: Log,
  threadId: string,
  clock: () => string,
): Promise<{ confirmed: Confirmed; version: number; savedVersion: number; incarnation: string }> {
  for (;;) {
    const stored = (await log.load(threadId)) ?? (await create(definition, log, threadId, clock()));
    checkDefinition(definition, stored);
    const { info, snapshot, commits } = stored;
    const version = snapshot.version + commits.length;
    const confirmed = confirm(definition, applyCommits(snapshot.state, snapshot.version, commits));
    const found = { confirmed, version, savedVersion: snapshot.version, incarnation: info.incarnation };
    const from = storedVersion(stored);
    const current = confirmed.sound && (from === definition.version || definition.model.migrate === undefined);
    const entry = current ? undefined : migration(definition, { state: confirmed.state, version, from }, clock());
    if (entry?.commit === undefined) return found;
    const appended = await log.append(threadId, version, [entry]);
    if (appended.status === "appended")
      return { ...found, confirmed: confirmCommit(definition, confirmed, entry.commit), version: version + 1 };
  }
}

async function create(definition: AnyDefinition, log: Log, threadId: string, at: string): Promise<StoredThread> {
  await log.create({ threadId, definition: definition.name, definitionVersion: definition.version, state: definition.initial, at });
  const stored = await log.load(threadId);
  if (stored === undefined) throw new OpstateError("corrupt_log", `The log did not keep the new thread "${threadId}".`);
  return stored;
}

function mayApprove({ kind }: Actor, allows: ((right: Right) => boolean) | undefined): boolean {
  return allows?.("approve") ?? ["user", "system"].includes(kind);
}

function now(): string {
  return new Date().toISOString();
}
