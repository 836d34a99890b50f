// The state that the oracle of law 10 judges, and its operations in several editions of their code.
//
// Every thing that an operation creates bears a mark (`born`) that no operation reads or changes,
// and every text is a word that one submission alone writes. So the oracle can read from any state
// which thing is which. `rows` have no mark and are often equal, so nothing distinguishes them.
//
// Operations are plain code on plain objects: the engine runs them on drafts, the oracle on copies.
// The file is long because it is a table of operations, and one of what their code becomes.

import { type AnyDefinition, defineState, type ReadonlyDeep } from "@opstate/core";
import { z } from "zod";

const Sub = z.object({ born: z.string(), text: z.string() });
const Card = z.object({
  id: z.string(),
  born: z.string(),
  title: z.string(),
  status: z.enum(["new", "started", "finished"]),
  points: z.int().max(50),
  at: z.string(),
  subs: z.array(Sub),
});
const Bill = z.object({ born: z.string(), amount: z.int(), text: z.string() });

export const Board = z.object({
  title: z.string(),
  total: z.int(),
  rate: z.int(),
  todo: z.array(Card).max(12),
  done: z.array(Card).max(12),
  rows: z.array(z.object({ n: z.int() })).max(6),
  workers: z.array(z.object({ name: z.string(), task: z.string() })),
  notes: z.record(z.string(), z.object({ text: z.string() })),
  bills: z.array(Bill),
  tags: z.array(z.string()),
  count: z.int(),
});
export type State = z.infer<typeof Board>;
export type Card = z.infer<typeof Card>;
export type ListName = "todo" | "done";

export function countOf(state: Pick<ReadonlyDeep<State>, "todo" | "done">): number {
  return state.todo.length + state.done.length;
}

const seedCard = (n: number): Card => {
  return { id: `T-${n}`, born: `seed${n}`, title: `old${n}`, status: "new", points: n, at: "", subs: [] };
};

export const INITIAL: State = {
  title: "untitled",
  total: 0,
  rate: 2,
  todo: [seedCard(1), seedCard(2), seedCard(3)],
  done: [seedCard(4)],
  rows: [{ n: 0 }, { n: 0 }, { n: 1 }],
  workers: ["w1", "w2", "w3"].map((name) => ({ name, task: "" })),
  notes: { a: { text: "olda" } },
  bills: [],
  tags: [],
  count: 4,
};

/** One input for all operations: `word` is the text that the submission alone writes. */
export interface Input {
  readonly word: string;
  readonly id: string;
  readonly list: ListName;
  readonly at: number;
  readonly to: number;
  readonly n: number;
  readonly key: string;
}

const anyInput = z.object({
  word: z.string(),
  id: z.string(),
  list: z.enum(["todo", "done"]),
  at: z.int(),
  to: z.int(),
  n: z.int(),
  key: z.string(),
});

export interface Context {
  readonly id: (prefix?: string, key?: string) => string;
  readonly now: string;
  readonly reject: (reason: string) => void;
}

export type Apply = (draft: State, input: Input, context: Context) => void;

const LISTS = ["todo", "done"] as const;

function listOf(draft: State, id: string): Card[] | undefined {
  return LISTS.map((name) => draft[name]).find((list) => list.some((card) => card.id === id));
}

function cardOf(draft: State, id: string): Card | undefined {
  return listOf(draft, id)?.find((card) => card.id === id);
}

function blank(id: string, word: string, now: string): Card {
  return { id, born: word, title: `${word}t`, status: "new", points: 0, at: now, subs: [] };
}

function nextId(draft: State): string {
  const numbers = LISTS.flatMap((name) => draft[name].map((card) => Number(card.id.slice(2)))).filter(Number.isInteger);
  return `T-${Math.max(0, ...numbers) + 1}`;
}

/** What an operation on a card does, when the card is there. */
function onCard(change: (card: Card, input: Input, context: Context, draft: State) => void): Apply {
  return (draft, input, context) => {
    const card = cardOf(draft, input.id);
    if (!card) return context.reject("not_found");
    change(card, input, context, draft);
  };
}

function remove(list: Card[], index: number): void {
  list.splice(index, 1);
}

const base = {
  addMinted: (draft, { word, list }, { id, now }) => void draft[list].push(blank(id("T-"), word, now)),
  addTwo: (draft, { word, list }, { id, now }) => {
    draft[list].push(blank(id("T-"), `${word}a`, now), blank(id("T-"), `${word}b`, now));
  },
  addKeyed: (draft, { word, list }, { id, now }) => void draft[list].unshift(blank(id("T-", word), word, now)),
  addNext: (draft, { word, list }) => void draft[list].push(blank(nextId(draft), word, "")),
  insertAt: (draft, { word, list, at }, { id, now }) => {
    draft[list].splice(at, 0, blank(id("T-"), word, now));
  },
  editById: onCard((card, { word }) => void (card.title = word)),
  editAt: (draft, { word, list, at }, { reject }) => {
    const card = draft[list][at];
    if (!card) return reject("not_found");
    card.title = word;
  },
  appendTitle: onCard((card, { word }) => void (card.title += ` ${word}`)),
  bump: onCard((card, { n }) => void (card.points += n)),
  start: onCard((card) => void (card.status = "started")),
  finish: onCard((card, _, { reject }) => {
    if (card.status !== "started") return reject("not_started");
    card.status = "finished";
  }),
  finishQuietly: onCard((card) => {
    if (card.status === "started") card.status = "finished";
  }),
  removeById: (draft, { id }, { reject }) => {
    const list = listOf(draft, id);
    if (!list) return reject("not_found");
    remove(
      list,
      list.findIndex((card) => card.id === id),
    );
  },
  removeAt: (draft, { list, at }, { reject }) => {
    if (at >= draft[list].length) return reject("not_found");
    remove(draft[list], at);
  },
  clear: (draft, { list }) => void (draft[list] = []),
  swap: (draft, { list, at, to }, { reject }) => {
    const [a, b] = [draft[list][at], draft[list][to]];
    if (!a || !b) return reject("not_found");
    draft[list].splice(at, 1, b);
    draft[list].splice(to, 1, a);
  },
  sort: (draft, { list }) => void draft[list].sort((a, b) => a.points - b.points),
  move: (draft, { id, list }, { reject }) => {
    const from = listOf(draft, id);
    if (!from) return reject("not_found");
    const [card] = from.splice(
      from.findIndex((card) => card.id === id),
      1,
    );
    if (card) draft[list].push(card);
  },
  moveAll: (draft, { n }) => {
    const moved = draft.todo.filter((card) => card.points >= n);
    draft.todo = draft.todo.filter((card) => card.points < n);
    draft.done.push(...moved);
  },
  moveAndEdit: (draft, { id, word }, { reject }) => {
    const from = listOf(draft, id);
    if (!from) return reject("not_found");
    const [card] = from.splice(
      from.findIndex((card) => card.id === id),
      1,
    );
    if (!card) return;
    card.title = word;
    (from === draft.todo ? draft.done : draft.todo).unshift(card);
  },
  rowSet: (draft, { at, n }, { reject }) => {
    const row = draft.rows[at];
    if (!row) return reject("not_found");
    row.n = n;
  },
  rowInsert: (draft, { at }) => void draft.rows.splice(at, 0, { n: 0 }),
  rowRemove: (draft, { at }, { reject }) => {
    if (at >= draft.rows.length) return reject("not_found");
    draft.rows.splice(at, 1);
  },
  inc: (draft, { n }) => void (draft.total += n),
  sum: (draft) => {
    draft.total = LISTS.flatMap((name) => draft[name].map((card) => card.points)).reduce((a, b) => a + b, 0);
  },
  setRate: (draft, { n }) => void (draft.rate = n),
  bill: (draft, { word, n }) => void draft.bills.push({ born: word, amount: draft.rate * (n + 1), text: `${word}t` }),
  rename: (draft, { word }) => void (draft.title = word),
  assign: (draft, { word }, { reject }) => {
    const worker = draft.workers.find((worker) => worker.task === "");
    if (!worker) return reject("nobody_free");
    worker.task = word;
  },
  free: (draft, { at }) => {
    const worker = draft.workers[at % draft.workers.length];
    if (worker) worker.task = "";
  },
  putNote: (draft, { key, word }) => void (draft.notes[key] = { text: word }),
  editNote: (draft, { key, word }, { reject }) => {
    const note = draft.notes[key];
    if (!note) return reject("not_found");
    note.text = word;
  },
  dropNote: (draft, { key }, { reject }) => {
    if (!draft.notes[key]) return reject("not_found");
    delete draft.notes[key];
  },
  addTag: (draft, { word }) => void draft.tags.push(word),
  removeTag: (draft, { at }, { reject }) => {
    if (at >= draft.tags.length) return reject("not_found");
    draft.tags.splice(at, 1);
  },
  addSub: onCard((card, { word }) => void card.subs.push({ born: word, text: `${word}t` })),
  editSub: onCard((card, { at, word }, { reject }) => {
    const sub = card.subs[at];
    if (!sub) return reject("not_found");
    sub.text = word;
  }),
  removeSub: onCard((card, { at }, { reject }) => {
    if (at >= card.subs.length) return reject("not_found");
    card.subs.splice(at, 1);
  }),
} satisfies Record<string, Apply>;

export type OperationName = keyof typeof base;
export const NAMES = Object.keys(base) as OperationName[];

export interface Edition {
  readonly about: string;
  readonly operations: Partial<Record<OperationName, Apply>>;
  /** The largest `n` that an input may have. */
  readonly most: number;
}

function without(...gone: OperationName[]): Partial<Record<OperationName, Apply>> {
  return Object.fromEntries(Object.entries(base).filter(([name]) => !gone.includes(name as OperationName)));
}

/** What the code may become between two starts of the program. */
export const EDITIONS: readonly Edition[] = [
  { about: "the first code", operations: base, most: 1_000 },
  {
    about: "other values: inc and bump count differently, cards and tags come first, sort runs backwards",
    most: 1_000,
    operations: {
      ...base,
      inc: (draft, { n }) => void (draft.total += 100 * (n + 1)),
      bump: onCard((card, { n }) => void (card.points += n + 10)),
      addMinted: (draft, { word, list }, { id, now }) => void draft[list].unshift(blank(id("T-"), word, now)),
      addNext: (draft, { word, list }) => void draft[list].unshift(blank(nextId(draft), word, "")),
      addTag: (draft, { word }) => void draft.tags.unshift(word),
      moveAll: (draft, { n }) => {
        const moved = draft.todo.filter((card) => card.points >= n);
        draft.todo = draft.todo.filter((card) => card.points < n);
        draft.done.unshift(...moved);
      },
      editById: onCard((card, { word }) => {
        card.title = word;
        card.status = "started";
      }),
      rename: (draft, { word }) => void (draft.title = `${word} renamed`),
      sort: (draft, { list }) => void draft[list].sort((a, b) => b.points - a.points),
    },
  },
  {
    about: "operations are gone: editById, inc, move, putNote, addMinted, clear, removeAt",
    most: 1_000,
    operations: without("editById", "inc", "move", "putNote", "addMinted", "clear", "removeAt"),
  },
  {
    about: "other targets: edits hit the first card, removals the last, assign the last free worker",
    most: 1_000,
    operations: {
      ...base,
      editById: (draft, { word }, { reject }) => {
        const card = draft.todo[0] ?? draft.done[0];
        if (!card) return reject("not_found");
        card.title = word;
      },
      removeById: (draft) => void draft.todo.pop(),
      assign: (draft, { word }, { reject }) => {
        const worker = draft.workers.findLast((worker) => worker.task === "");
        if (!worker) return reject("nobody_free");
        worker.task = word;
      },
      clear: (draft) => {
        draft.todo = [];
        draft.done = [];
      },
    },
  },
  {
    about: "other rules: n is at most 2, finish needs points, a named board keeps its name",
    most: 2,
    operations: {
      ...base,
      finish: onCard((card, _, { reject }) => {
        if (card.points < 2) return reject("no_points");
        card.status = "finished";
      }),
      rename: (draft, { word }, { reject }) => {
        if (draft.title !== "untitled") return reject("named");
        draft.title = word;
      },
      addNext: (draft, { word, list }) => void draft[list].push(blank(`T-${draft.count + 1}`, word, "")),
    },
  },
];

const definitions = new Map<number, AnyDefinition>();

/** The definition of one edition of the code. All have one name, one version and one schema. */
export function definitionOf(edition: number): AnyDefinition {
  let definition = definitions.get(edition);
  if (definition === undefined) {
    const { operations, most } = EDITIONS[edition] ?? EDITIONS[0]!;
    const input = anyInput.extend({ n: z.int().max(most) });
    const specs = Object.entries(operations).map(([name, apply]) => [name, { input, apply }]);
    definition = defineState({
      name: "board",
      version: 1,
      schema: Board,
      initial: INITIAL,
      derive: { "/count": countOf },
      operations: Object.fromEntries(specs) as Record<string, { input: typeof input; apply: Apply }>,
      replace: { allow: ["user", "agent"] },
      patches: true,
    });
    definitions.set(edition, definition);
  }
  return definition;
}

/** The schema's own rules, for the oracle's copies. */
export function isValid(state: State): boolean {
  return (
    state.todo.length <= 12 &&
    state.done.length <= 12 &&
    state.rows.length <= 6 &&
    [...state.todo, ...state.done].every((card) => card.points <= 50)
  );
}
