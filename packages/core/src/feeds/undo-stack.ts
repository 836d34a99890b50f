// Undo and redo of one's own last edits, as Ctrl+Z means it: what others did in between stays.
//
// Invariants: what can be undone is a fold of the log's commits, never a memory of calls, so that
// two of these agree, and a reload loses nothing; calls are carried out one after the other; an
// edit that waits for its verdict is the last one until it has it.

import { type Actor, sameActor } from "../engine/actor.ts";
import { createSource, type Readable } from "../readable.ts";
import { RefCount } from "../replica/ref-count.ts";
import type { Commit, Verdict } from "../thread/commit.ts";
import type { HistoryEntry } from "../thread/entries.ts";
import type { HistoryRange } from "../thread/options.ts";
import { type CommitSource, watchStanding } from "./commit-source.ts";
import { foldSteps, matters, type StackedStep, type Stacks, type UndoStep } from "./undo-steps.ts";

export interface UndoStackOptions {
  /**
   * "drop": later operations that need what is taken back are taken back too. Default "refuse": the
   * verdict names them.
   */
  readonly onDependent?: "refuse" | "drop";
}

/**
 * A participant's access is one, with a replica beside it where there is one: `{ ...replica,
 * ...threadClient(options) }`.
 */
export interface UndoSource<Operation = { readonly type: string }> extends CommitSource<Operation> {
  /** Not a thread's own, which must be told who asks. */
  readonly undo: (
    target: { readonly ids: readonly string[] },
    options?: UndoStackOptions,
  ) => Promise<Verdict<Operation>>;
  /** Where there is one, what was done before anybody watched can be undone too. */
  history?(range: HistoryRange): Promise<readonly HistoryEntry<Operation>[]>;
}

export interface UndoState<Operation = { readonly type: string }> {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** A call is under way. */
  readonly busy: boolean;
  /** What `undo` would take back. */
  readonly last?: UndoStep<Operation>;
  /** What `redo` would bring back. */
  readonly next?: UndoStep<Operation>;
}

export interface UndoStack<Operation = { readonly type: string }> extends Readable<UndoState<Operation>> {
  /**
   * Takes the last own edit back. Undefined when there is none, or when it was refused before it
   * could be taken back.
   */
  undo(options?: UndoStackOptions): Promise<Verdict<Operation> | undefined>;
  /** Brings back what the last undo took. */
  redo(options?: UndoStackOptions): Promise<Verdict<Operation> | undefined>;
}

/** Commits that the fold looks back at. */
const KEPT = 1_000;
/** Refusals that no other time will be taken. */
const FINAL = new Set(["compacted", "unknown_id"]);

/**
 * One's own edits as a stack. `own` says which commits are one's own: an actor's, or those that a
 * function picks. It follows what happens for as long as somebody subscribes; `reach` (default 200)
 * is how many of the newest commits it looks through to begin with.
 *
 * @example
 * ```ts
 * import { accessThread, createUndoStack, defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 *
 * const ada = { kind: "user", id: "ada" };
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * await thread.dispatch(counter.op.add({ by: 1 }), { actor: ada });
 * await thread.dispatch(counter.op.add({ by: 10 }), { actor: { kind: "user", id: "bob" } });
 * const stack = createUndoStack(accessThread(thread, ada), ada);
 * await stack.undo();
 * thread.getState(); // { count: 10 }
 * await stack.redo();
 * thread.getState(); // { count: 11 }
 * ```
 */
export function createUndoStack<Operation extends { readonly type: string }>(
  source: UndoSource<Operation>,
  own: Actor | ((commit: Commit<Operation>) => boolean),
  { reach = 200, onError }: { readonly reach?: number; readonly onError?: (error: unknown) => void } = {},
): UndoStack<Operation> {
  const isOwn = typeof own === "function" ? own : ({ actor }: Commit<Operation>) => sameActor(actor, own);
  const state = createSource<UndoState<Operation>>({ canUndo: false, canRedo: false, busy: false }, onError);
  const demand = new RefCount(start, stop);
  let ends: (() => void)[] | undefined;
  let known: readonly Commit<Operation>[] = [];
  /** Versions of commits that cannot be taken back any more. */
  const gone = new Set<number>();
  /** Edits without a verdict that a call, which waits for it, is going to take back. */
  const claimed = new Set<string>();
  let reading: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let calls = 0;

  function stacks(): Stacks<Operation> {
    const { undo, redo } = foldSteps(known, isOwn);
    const isThere = ({ by }: StackedStep<Operation>) => !gone.has(by.version);
    return { undo: undo.filter(isThere), redo: redo.filter(isThere) };
  }

  function waiting(): readonly UndoStep<Operation>[] {
    const { pending = [] } = source.sync?.getState() ?? {};
    // A replica takes nothing but updates of its definition into its queue.
    return pending.filter(({ id }) => !claimed.has(id)) as readonly {
      readonly id: string;
      readonly operation: Operation;
    }[];
  }

  function show(): void {
    const { undo, redo } = stacks();
    const pending = waiting().at(-1);
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

  function learn(commits: readonly Commit<Operation>[]): void {
    const versions = new Set(known.map(({ version }) => version));
    const news = commits.filter((commit) => !versions.has(commit.version) && matters(commit, isOwn(commit)));
    if (news.length === 0) return;
    known = [...known, ...news].toSorted((a, b) => a.version - b.version).slice(-KEPT);
    show();
  }

  function read(): Promise<void> {
    reading ??= readHistory().finally(() => (reading = undefined));
    return reading;
  }

  async function readHistory(): Promise<void> {
    if (reach < 1) return;
    // What cannot be read is only a shorter way back; it is read again after a reconnection.
    const entries = (await source.history?.({ order: "descending", limit: reach }).catch(() => [])) ?? [];
    learn(entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : [])));
  }

  function start(): void {
    if (ends !== undefined) return;
    ends = [
      source.onCommit((commit) => learn([commit])),
      // A little later: the commit of what is not pending any more is told by then.
      source.sync?.subscribe(() => void Promise.resolve().then(show)) ?? (() => undefined),
      watchStanding(source, {
        onCameOnline: () => void read(),
        onVersion(version, previous) {
          if (version >= previous) return;
          // Another thread than before.
          known = [];
          gone.clear();
          show();
          void read();
        },
      }),
    ];
    void read();
    show();
  }

  function stop(): void {
    for (const end of ends ?? []) end();
    ends = undefined;
  }

  /**
   * Resolves when none of these edits waits for its verdict any more, and the commits of those that
   * were taken are known.
   */
  function settled(ids: ReadonlySet<string>): Promise<void> {
    const { sync } = source;
    return new Promise((resolve) => {
      const isSettled = () => sync === undefined || sync.getState().pending.every(({ id }) => !ids.has(id));
      if (sync === undefined || isSettled()) return resolve();
      const end = sync.subscribe(() => {
        if (!isSettled()) return;
        end();
        resolve();
      });
    });
  }

  async function take(
    which: keyof Stacks<Operation>,
    options: UndoStackOptions | undefined,
  ): Promise<Verdict<Operation> | undefined> {
    const meant = which === "undo" ? waiting().at(-1)?.id : undefined;
    const before = new Set(source.sync?.getState().pending.map(({ id }) => id));
    if (meant !== undefined) claimed.add(meant);
    calls += 1;
    const turn = last.then(async () => {
      await Promise.all([settled(before), ends === undefined ? read() : reading]);
      const stack = stacks()[which];
      const step = meant === undefined ? stack.at(-1) : stack.findLast(({ step }) => step.id === meant);
      if (step === undefined) return undefined;
      const verdict = await source.undo({ ids: [step.by.id] }, options);
      if (verdict.accepted && verdict.commit !== undefined) learn([verdict.commit]);
      // Somebody else took it back already, or the log does not have it any more.
      else if (verdict.accepted || FINAL.has(verdict.rejection.reason ?? "")) gone.add(step.by.version);
      return verdict;
    });
    last = turn.catch(() => undefined);
    show();
    try {
      return await turn;
    } finally {
      calls -= 1;
      if (meant !== undefined) claimed.delete(meant);
      show();
    }
  }

  return {
    getState: state.getState,
    getInitialState: state.getInitialState,
    subscribe: demand.whileSubscribed(state.subscribe),
    undo: (options) => take("undo", options),
    redo: (options) => take("redo", options),
  };
}

function isSame(a: UndoStep<unknown> | undefined, b: UndoStep<unknown> | undefined): boolean {
  return a?.id === b?.id;
}
