// A board for scenarios of undo: operations that find by id, by position and by what is free, that
// mint ids and that compute them from the state.

import { type Actor, defineState, memoryLog, openThread, type Verdict } from "@opstate/core";
import { isUndo, versionsIn } from "@opstate/core/log";
import { z } from "zod";
import { elsewhere } from "../tally.ts";

export const ada: Actor = { kind: "user", id: "ada" };
export const robot: Actor = { kind: "agent", id: "robot" };

const Card = z.object({ id: z.string(), title: z.string() });
const Column = z.object({ name: z.string(), cards: z.array(Card), count: z.int() });
const Board = z.object({
  title: z.string(),
  n: z.int(),
  rate: z.int(),
  status: z.enum(["idle", "started", "finished"]),
  columns: z.array(Column),
  workers: z.array(z.object({ name: z.string(), job: z.string().nullable() })),
  bills: z.array(z.object({ id: z.string(), rate: z.int() })),
});
export type Board = z.infer<typeof Board>;

const card = (id: string, title: string) => ({ id, title });

const initial: Board = {
  title: "Board",
  n: 0,
  rate: 3,
  status: "idle",
  columns: [
    {
      name: "todo",
      cards: [card("T-1", "one"), card("T-2", "two"), card("T-3", "three"), card("T-4", "four")],
      count: 4,
    },
    { name: "done", cards: [card("T-9", "nine")], count: 1 },
  ],
  workers: [
    { name: "w1", job: null },
    { name: "w2", job: null },
    { name: "w3", job: null },
  ],
  bills: [],
};

interface Code {
  /** What `inc` counts for. */
  readonly step?: number;
  readonly version?: number;
  /** `add` and `move` put a card at the other end of its list. */
  readonly otherEnd?: boolean;
}

export function boardWith({ step = 1, version = 1, otherEnd = false }: Code = {}) {
  const cardsOf = (board: Board) => board.columns.flatMap(({ cards }) => cards);
  const columnOf = (board: Board, name: string) => board.columns.find((column) => column.name === name);
  const nextId = (board: Board) => `T-${Math.max(0, ...cardsOf(board).map(({ id }) => Number(id.slice(2)))) + 1}`;
  const text = z.string();

  return defineState({
    name: "board",
    version,
    schema: Board,
    initial,
    derive: { "/columns/*/count": (column) => column.cards.length },
    replace: { allow: ["user", "agent"] },
    patches: true,
    operations: {
      add: {
        input: z.object({ column: text, title: text }),
        apply(draft, { column, title }, { id }) {
          const { cards } = columnOf(draft, column) ?? { cards: [] };
          cards.splice(otherEnd ? 0 : cards.length, 0, card(id("T-"), title));
        },
      },
      addComputed: {
        input: z.object({ column: text, title: text, top: z.boolean().optional() }),
        apply(draft, { column, title, top }) {
          const { cards } = columnOf(draft, column) ?? { cards: [] };
          cards.splice(top === true ? 0 : cards.length, 0, card(nextId(draft), title));
        },
      },
      edit: {
        input: z.object({ id: text, title: text }),
        apply(draft, { id, title }, { reject }) {
          const found = cardsOf(draft).find((one) => one.id === id);
          if (found === undefined) return reject("no_card", `No card "${id}"`);
          found.title = title;
        },
      },
      remove: {
        input: z.object({ id: text }),
        apply(draft, { id }, { reject }) {
          const column = draft.columns.find(({ cards }) => cards.some((one) => one.id === id));
          if (column === undefined) return reject("no_card", `No card "${id}"`);
          column.cards.splice(
            column.cards.findIndex((one) => one.id === id),
            1,
          );
        },
      },
      removeAt: {
        input: z.object({ column: text, index: z.int() }),
        apply(draft, { column, index }) {
          columnOf(draft, column)?.cards.splice(index, 1);
        },
      },
      moveMany: {
        input: z.object({ ids: z.array(text), to: text, prefix: text.optional() }),
        apply(draft, { ids, to, prefix }) {
          const chosen = cardsOf(draft).filter(({ id }) => ids.includes(id));
          for (const column of draft.columns) column.cards = column.cards.filter(({ id }) => !ids.includes(id));
          for (const one of chosen) {
            if (prefix !== undefined) one.title = prefix + one.title;
            columnOf(draft, to)?.cards.push(one);
          }
        },
      },
      move: {
        input: z.object({ id: text, to: text, title: text.optional() }),
        apply(draft, { id, to, title }, { reject }) {
          const from = draft.columns.find(({ cards }) => cards.some((one) => one.id === id));
          const target = columnOf(draft, to);
          if (from === undefined || target === undefined) return reject("no_card", `No card "${id}"`);
          const index = from.cards.findIndex((one) => one.id === id);
          const [moved] = from.cards.splice(index, 1);
          if (moved === undefined) return;
          if (title !== undefined) moved.title = title;
          target.cards.splice(otherEnd ? target.cards.length : 0, 0, moved);
        },
      },
      clear: {
        input: z.object({ column: text }),
        apply(draft, { column }) {
          const found = columnOf(draft, column);
          if (found !== undefined) found.cards = [];
        },
      },
      sort: {
        input: z.object({ column: text }),
        apply(draft, { column }) {
          columnOf(draft, column)?.cards.sort((left, right) => (left.title < right.title ? -1 : 1));
        },
      },
      rename: { input: z.object({ title: text }), apply: (draft, { title }) => void (draft.title = title) },
      inc: { input: z.object({}), apply: (draft) => void (draft.n += step) },
      count: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.n += by) },
      setRate: { input: z.object({ rate: z.int() }), apply: (draft, { rate }) => void (draft.rate = rate) },
      bill: {
        input: z.object({}),
        apply: (draft, _, { id }) => void draft.bills.push({ id: id("B-"), rate: draft.rate }),
      },
      assign: {
        input: z.object({ job: text }),
        apply(draft, { job }) {
          const free = draft.workers.find((worker) => worker.job === null);
          if (free !== undefined) free.job = job;
        },
      },
      assignAny: {
        input: z.object({ job: text }),
        retarget: true,
        apply(draft, { job }) {
          const free = draft.workers.find((worker) => worker.job === null);
          if (free !== undefined) free.job = job;
        },
      },
      start: { input: z.object({}), apply: (draft) => void (draft.status = "started") },
      finish: {
        input: z.object({ strict: z.boolean() }),
        apply(draft, { strict }, { reject }) {
          if (draft.status !== "started") return strict ? reject("not_started", "It was not started") : undefined;
          draft.status = "finished";
        },
      },
    },
  });
}

/** A thread on which the agent's submissions are all one run, "r". */
export async function openBoard(log = memoryLog(), definition = boardWith()) {
  const thread = await openThread({ definition, log: elsewhere(log), threadId: "board" });
  type Update = Parameters<typeof thread.dispatch>[0];
  return {
    log,
    thread,
    user: (update: Update, id?: string) => thread.dispatch(update, { actor: ada, ...(id === undefined ? {} : { id }) }),
    agent: (update: Update, id?: string) =>
      thread.dispatch(update, { actor: robot, runId: "r", ...(id === undefined ? {} : { id }) }),
    undoRun: (onDependent?: "drop" | "keep") =>
      thread.undo({ runId: "r" }, { actor: ada, id: "u", ...(onDependent === undefined ? {} : { onDependent }) }),
    redo: () => thread.undo({ ids: ["u"] }, { actor: ada }),
    cards: (column: string) => thread.getState().columns.find(({ name }) => name === column)?.cards ?? [],
    titles: (column: string) =>
      (thread.getState().columns.find(({ name }) => name === column)?.cards ?? []).map(({ title }) => title),
  };
}

/** What an undo did with what it kept, as versions; or the dependents that it names. */
export function outcome(verdict: Verdict) {
  if (!verdict.accepted) {
    const { code, reason, details } = verdict.rejection;
    return { code, reason, ...(details as { dependents?: string[]; why?: { would: string }[] }) };
  }
  const operation = verdict.commit?.operation;
  if (operation === undefined || !isUndo(operation)) return "no undo";
  const { recomputed = [], carried = [], dropped = [] } = operation;
  return {
    recomputed: [...versionsIn(recomputed)],
    carried: [...versionsIn(carried)],
    dropped: [...versionsIn(dropped as number[])],
  };
}

/** All that was kept did the same to the same things. */
export const asRecorded = { recomputed: [], carried: [], dropped: [] };
