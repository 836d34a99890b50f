// Undo and redo of a participant's own last edits, as with Ctrl+Z. Edits of others in between stay.
//
// Invariants:
// - What can be undone is a fold of the log's commits, not of calls. So two stacks agree, and a
//   reload loses nothing.
// - Calls run one after the other.
// - A pending edit is the last one until it has its verdict.
// (Long because it is one state machine with its documented types.)

import type { Actor, AnyOperation, Commit, HistoryEntry, Verdict } from "@opstate/core";
import { createSource, type Readable, RefCount } from "@opstate/core/readable";
import { type HistoryRange, type OnDependent, sameActor } from "@opstate/core/thread";
import { type CommitSource, watchSync } from "../commit-source.ts";
import { foldSteps, isRelevant, type StackedStep, type Stacks, type UndoStep } from "./undo-steps.ts";

export interface UndoStackOptions {
  /**
   * What becomes of later operations that would do something else without the undone one. Default
   * "refuse": the verdict names them, `dependentsOf` reads it. "drop": they are undone too. "keep":
   * what they did stays, wherever its things still are.
   */
  readonly onDependent?: OnDependent;
}

export interface UndoSource<Operation = AnyOperation> extends CommitSource<Operation> {
  /** Of a participant. A thread's own `undo` needs an actor, so it does not fit. */
  readonly undo: (
    target: { readonly ids: readonly string[] },
    options?: UndoStackOptions,
  ) => Promise<Verdict<Operation>>;
  /** With it, edits from before the first subscription can be undone too. */
  history?(range: HistoryRange): Promise<readonly HistoryEntry<Operation>[]>;
}

export interface UndoState<Operation = AnyOperation> {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether a call is under way. */
  readonly busy: boolean;
  /** The edit that `undo` would undo. */
  readonly last?: UndoStep<Operation>;
  /** The edit that `redo` would restore. */
  readonly next?: UndoStep<Operation>;
}

export interface UndoStack<Operation = AnyOperation> extends Readable<UndoState<Operation>> {
  /**
   * Undoes the last own edit. Resolves with undefined when there is none, or when it was refused
   * before it could be undone.
   */
  undo(options?: UndoStackOptions): Promise<Verdict<Operation> | undefined>;
  /** Restores the edit of the last undo. */
  redo(options?: UndoStackOptions): Promise<Verdict<Operation> | undefined>;
}

/** How many commits the fold covers. */
const MAX_COMMITS = 1_000;
/** Reasons of refusals that a later call would get again. */
const PERMANENT_REASONS = new Set(["compacted", "unknown_id"]);

/**
 * Creates a stack of a participant's own edits. `own` says which commits those are: an actor's, or
 * the ones that a function picks. The stack is live while it has a subscriber. `reach` (default
 * 200) is how many of the newest commits it reads at first.
 */
export function createUndoStack<Operation extends AnyOperation>(
  source: UndoSource<Operation>,
  own: Actor | ((commit: Commit<Operation>) => boolean),
  { reach = 200, onError }: { readonly reach?: number; readonly onError?: (error: unknown) => void } = {},
): UndoStack<Operation> {
  const isOwn = typeof own === "function" ? own : ({ actor }: Commit<Operation>) => sameActor(actor, own);
  const state = createSource<UndoState<Operation>>({ canUndo: false, canRedo: false, busy: false }, onError);
  const refCount = new RefCount(start, stop);
  let unsubscribers: (() => void)[] | undefined;
  let commits: readonly Commit<Operation>[] = [];
  /** Versions of commits that can no longer be undone. */
  const notUndoable = new Set<number>();
  /** Ids of pending edits that a queued call will undo. */
  const claimed = new Set<string>();
  let reading: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let calls = 0;

  function stacks(): Stacks<Operation> {
    const { undo, redo } = foldSteps(commits, isOwn);
    const isThere = ({ by }: StackedStep<Operation>) => !notUndoable.has(by.version);
    return { undo: undo.filter(isThere), redo: redo.filter(isThere) };
  }

  function pendingSteps(): readonly UndoStep<Operation>[] {
    const { pending = [] } = source.sync?.getState() ?? {};
    // The queue of a replica has updates of its definition only.
    return pending.filter(({ id }) => !claimed.has(id)) as readonly {
      readonly id: string;
      readonly operation: Operation;
    }[];
  }

  function update(): void {
    const { undo, redo } = stacks();
    const pending = pendingSteps().at(-1);
    const step = pending === undefined ? undo.at(-1)?.step : { id: pending.id, operation: pending.operation };
    const next = pending === undefined ? redo.at(-1)?.step : undefined;
    const before = state.getState();
    const busy = calls > 0;
    if (before.busy === busy && isSame(before.last, step) && isSame(before.next, next)) return;
    state.set({
      canUndo: step !== undefined,
      canRedo: next !== undefined,
      busy,
      ...(step && { last: step }),
      ...(next && { next }),
    })();
  }

  function addCommits(received: readonly Commit<Operation>[]): void {
    const versions = new Set(commits.map(({ version }) => version));
    const added = received.filter((commit) => !versions.has(commit.version) && isRelevant(commit, isOwn(commit)));
    if (added.length === 0) return;
    commits = [...commits, ...added].toSorted((a, b) => a.version - b.version).slice(-MAX_COMMITS);
    update();
  }

  function read(): Promise<void> {
    reading ??= readHistory().finally(() => (reading = undefined));
    return reading;
  }

  async function readHistory(): Promise<void> {
    if (reach < 1) return;
    // A failed read only shortens the stack. It is repeated after a reconnection.
    const entries = (await source.history?.({ order: "descending", limit: reach }).catch(() => [])) ?? [];
    addCommits(entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : [])));
  }

  function start(): void {
    if (unsubscribers !== undefined) return;
    unsubscribers = [
      source.onCommit((commit) => addCommits([commit])),
      // One microtask later, when listeners have the commit of an edit that left the queue.
      source.sync?.subscribe(() => void Promise.resolve().then(update)) ?? (() => undefined),
      watchSync(source, {
        onCameOnline: () => void read(),
        onVersion(version, previous) {
          if (version >= previous) return;
          // The source has another thread than before.
          commits = [];
          notUndoable.clear();
          update();
          void read();
        },
      }),
    ];
    void read();
    update();
  }

  function stop(): void {
    for (const unsubscribe of unsubscribers ?? []) unsubscribe();
    unsubscribers = undefined;
  }

  /**
   * Resolves when none of these edits is pending any more. Then the commits of accepted ones have
   * been received.
   */
  function whenDecided(ids: ReadonlySet<string>): Promise<void> {
    const { sync } = source;
    return new Promise((resolve) => {
      const isDecided = () => sync === undefined || sync.getState().pending.every(({ id }) => !ids.has(id));
      if (sync === undefined || isDecided()) return resolve();
      const end = sync.subscribe(() => {
        if (!isDecided()) return;
        end();
        resolve();
      });
    });
  }

  async function run(
    which: keyof Stacks<Operation>,
    options: UndoStackOptions | undefined,
  ): Promise<Verdict<Operation> | undefined> {
    const pendingId = which === "undo" ? pendingSteps().at(-1)?.id : undefined;
    const before = new Set(source.sync?.getState().pending.map(({ id }) => id));
    if (pendingId !== undefined) claimed.add(pendingId);
    calls += 1;
    const call = last.then(async () => {
      await Promise.all([whenDecided(before), unsubscribers === undefined ? read() : reading]);
      const stack = stacks()[which];
      const step = pendingId === undefined ? stack.at(-1) : stack.findLast(({ step }) => step.id === pendingId);
      if (step === undefined) return undefined;
      const verdict = await source.undo({ ids: [step.by.id] }, options);
      if (verdict.accepted && verdict.commit !== undefined) addCommits([verdict.commit]);
      // It was undone already, or the log no longer has it.
      else if (verdict.accepted || PERMANENT_REASONS.has(verdict.rejection.reason ?? ""))
        notUndoable.add(step.by.version);
      return verdict;
    });
    last = call.catch(() => undefined);
    update();
    try {
      return await call;
    } finally {
      calls -= 1;
      if (pendingId !== undefined) claimed.delete(pendingId);
      update();
    }
  }

  return {
    getState: state.getState,
    getInitialState: state.getInitialState,
    subscribe: refCount.whileSubscribed(state.subscribe),
    undo: (options) => run("undo", options),
    redo: (options) => run("redo", options),
  };
}

function isSame(a: UndoStep<unknown> | undefined, b: UndoStep<unknown> | undefined): boolean {
  return a?.id === b?.id;
}
