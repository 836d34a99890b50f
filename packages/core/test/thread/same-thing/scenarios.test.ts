// The scenarios of law 10, each with the outcome that the text gives it, through an open thread.
//
// (a) recorded, (b) computed anew, (a') carried to its things, (c) a dependent.
// The file is long because it is a table: a definition, and a test for each row.

import {
  type Actor,
  createReplica,
  defineState,
  type Log,
  memoryLog,
  openThread,
  type Rejection,
  type Thread,
  type Verdict,
} from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { gate } from "./gate.ts";
import { versionsIn } from "./line.ts";

const ada: Actor = { kind: "user", id: "ada" };
const bob: Actor = { kind: "user", id: "bob" };
const agent: Actor = { kind: "agent", id: "planner" };
const RUN = { actor: agent, runId: "run" };

const Card = z.object({ id: z.string(), text: z.string(), done: z.boolean() });
type Card = z.infer<typeof Card>;
const card = (id: string, text: string): Card => ({ id, text, done: false });

const Board = z.object({
  title: z.string(),
  n: z.int(),
  rate: z.int(),
  status: z.enum(["new", "started", "finished"]),
  todo: z.array(Card),
  doing: z.array(Card),
  workers: z.array(z.object({ name: z.string(), task: z.string() })),
  bills: z.array(z.object({ text: z.string(), amount: z.int() })),
  size: z.int(),
});
type BoardState = z.infer<typeof Board>;

const EMPTY: BoardState = {
  title: "untitled",
  n: 0,
  rate: 2,
  status: "new",
  todo: [],
  doing: [],
  workers: ["w1", "w2"].map((name) => ({ name, task: "" })),
  bills: [],
  size: 0,
};

interface Setup {
  readonly cards?: readonly Card[];
  /** How much an `inc` counts for: what the code changes between two starts. */
  readonly factor?: number;
  /** Whether `editFirst` means whatever card is the first. */
  readonly retarget?: boolean;
}

function defineBoard({ cards = [], factor = 1, retarget = false }: Setup) {
  const find = (draft: { todo: Card[]; doing: Card[] }, id: string) => {
    return [...draft.todo, ...draft.doing].find((card) => card.id === id);
  };
  const initial: BoardState = { ...EMPTY, todo: [...cards], size: cards.length };
  return defineState({
    name: "board",
    version: 1,
    schema: Board,
    initial,
    derive: { "/size": ({ todo, doing }) => todo.length + doing.length },
    replace: { allow: ["user", "agent"] },
    operations: {
      title: {
        input: z.object({ text: z.string() }),
        apply: (draft, { text }) => {
          draft.title = text;
        },
      },
      inc: {
        input: z.object({ by: z.int() }),
        apply: (draft, { by }) => {
          draft.n += by * factor;
        },
      },
      add: {
        input: z.object({ text: z.string() }),
        apply: (draft, { text }, { id }) => {
          draft.todo.push(card(id("T-"), text));
        },
      },
      addNext: {
        input: z.object({ text: z.string() }),
        apply: (draft, { text }) => {
          const numbers = [...draft.todo, ...draft.doing].map(({ id }) => Number(id.slice(2)));
          draft.todo.push(card(`T-${Math.max(0, ...numbers) + 1}`, text));
        },
      },
      addOnTop: {
        input: z.object({ text: z.string() }),
        apply: (draft, { text }, { id }) => {
          draft.todo.unshift(card(id("T-"), text));
        },
      },
      edit: {
        input: z.object({ id: z.string(), text: z.string() }),
        apply: (draft, { id, text }, { reject }) => {
          const found = find(draft, id);
          if (!found) return reject("not_found", `There is no card "${id}"`);
          found.text = text;
        },
      },
      editAt: {
        input: z.object({ at: z.int(), text: z.string() }),
        apply: (draft, { at, text }, { reject }) => {
          const found = draft.todo[at];
          if (!found) return reject("not_found");
          found.text = text;
        },
      },
      editFirst: {
        input: z.object({ text: z.string() }),
        // What a definition says when it means whatever is there.
        ...(retarget ? { retarget: true } : {}),
        apply: (draft, { text }, { reject }) => {
          const found = draft.todo[0];
          if (!found) return reject("not_found");
          found.text = text;
        },
      },
      remove: {
        input: z.object({ id: z.string() }),
        apply: (draft, { id }, { reject }) => {
          const index = draft.todo.findIndex((card) => card.id === id);
          if (index < 0) return reject("not_found");
          draft.todo.splice(index, 1);
        },
      },
      removeAt: {
        input: z.object({ at: z.int() }),
        apply: (draft, { at }, { reject }) => {
          if (at >= draft.todo.length) return reject("not_found");
          draft.todo.splice(at, 1);
        },
      },
      clear: {
        input: z.object({}),
        apply: (draft) => {
          draft.todo = [];
        },
      },
      sort: {
        input: z.object({}),
        apply: (draft) => {
          draft.todo.sort((a, b) => (a.id < b.id ? 1 : -1));
        },
      },
      startAll: {
        input: z.object({}),
        apply: (draft) => {
          const moved = draft.todo.filter(({ done }) => !done);
          draft.todo = draft.todo.filter(({ done }) => done);
          draft.doing.push(...moved);
        },
      },
      finishCard: {
        input: z.object({ id: z.string() }),
        apply: (draft, { id }, { reject }) => {
          const [found] = draft.todo.splice(
            draft.todo.findIndex((card) => card.id === id),
            1,
          );
          if (!found) return reject("not_found");
          found.done = true;
          draft.doing.unshift(found);
        },
      },
      assign: {
        input: z.object({ task: z.string() }),
        apply: (draft, { task }, { reject }) => {
          const free = draft.workers.find((worker) => worker.task === "");
          if (!free) return reject("nobody_free");
          free.task = task;
        },
      },
      start: {
        input: z.object({}),
        apply: (draft) => {
          draft.status = "started";
        },
      },
      finish: {
        input: z.object({ quiet: z.boolean() }),
        apply: (draft, { quiet }, { reject }) => {
          if (draft.status === "started") draft.status = "finished";
          else if (!quiet) return reject("not_started", "Start it first");
        },
      },
      setRate: {
        input: z.object({ rate: z.int() }),
        apply: (draft, { rate }) => {
          draft.rate = rate;
        },
      },
      bill: {
        input: z.object({ text: z.string(), hours: z.int() }),
        apply: (draft, { text, hours }) => {
          draft.bills.push({ text, amount: draft.rate * hours });
        },
      },
    },
  });
}

type BoardThread = Thread<ReturnType<typeof defineBoard>>;
const { op } = defineBoard({});

async function open(setup: Setup = {}, log: Log = memoryLog()): Promise<BoardThread> {
  return openThread({ definition: defineBoard(setup), log, threadId: "board" });
}

function accepted(verdict: Verdict): Record<string, unknown> & { readonly version: number } {
  if (!verdict.accepted) throw new Error(`refused: ${verdict.rejection.message}`);
  return { ...(verdict.commit?.operation as object | undefined), version: verdict.version };
}

function refused(verdict: Verdict): Rejection {
  if (verdict.accepted) throw new Error(`accepted: ${JSON.stringify(verdict.commit?.patches)}`);
  return verdict.rejection;
}

function dependents(verdict: Verdict): readonly string[] {
  const rejection = refused(verdict);
  expect(rejection).toMatchObject({ code: "conflict", reason: "dependents" });
  return (rejection.details as { dependents: readonly string[] }).dependents;
}

/** What an undo's commit says of what it kept: versions in order. */
function kept(verdict: Verdict): { readonly recomputed: readonly number[]; readonly carried: readonly number[] } {
  const operation = accepted(verdict);
  return { recomputed: versionsIn(operation["recomputed"]), carried: versionsIn(operation["carried"]) };
}

const texts = (cards: readonly Card[]): string[] => cards.map(({ text }) => text);
const three = [card("T-1", "one"), card("T-2", "two"), card("T-3", "three")];
const undoRun = (thread: BoardThread): Promise<Verdict> => thread.undo({ runId: "run" }, { actor: ada });

describe("undo: the same id is not the same thing", () => {
  async function replaced(): Promise<BoardThread> {
    const thread = await open({ cards: three });
    const todo = [card("T-1", "buy a domain"), card("T-2", "make a logo")];
    accepted(await thread.dispatch({ ...thread.getState(), todo }, RUN));
    accepted(await thread.dispatch(op.edit({ id: "T-2", text: "make a better logo" }), { actor: ada, id: "rename" }));
    return thread;
  }

  it("names the rename of a card that the run brought", async () => {
    const thread = await replaced();
    const before = thread.getState();
    expect(dependents(await undoRun(thread))).toEqual(["rename"]);
    expect(thread.getState()).toBe(before);
  });

  it("says what the rename would do now", async () => {
    const { details } = refused(await undoRun(await replaced()));
    const why = { id: "rename", version: 2, type: "edit", code: expect.any(String), would: expect.anything() };
    expect(details).toMatchObject({ why: [why] });
  });

  it.each(["drop", "keep"] as const)("never writes it on the sample's card: %s", async (onDependent) => {
    const thread = await replaced();
    const options = { actor: ada, onDependent } as Parameters<typeof thread.undo>[1];
    accepted(await thread.undo({ runId: "run" }, options));
    expect(thread.getState().todo).toEqual(three);
  });

  it("names an add whose computed id is another card's by now, and the edit of it", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.clear({}), RUN));
    accepted(await thread.dispatch(op.addNext({ text: "mine" }), { actor: ada, id: "add" }));
    accepted(await thread.dispatch(op.edit({ id: "T-1", text: "mine, edited" }), { actor: ada, id: "edit" }));
    expect(dependents(await undoRun(thread))).toEqual(["add", "edit"]);
    expect(texts(thread.getState().todo)).toEqual(["mine, edited"]);
  });

  it("keeps an add with an id of its own, and the edit of it", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.clear({}), RUN));
    accepted(await thread.dispatch(op.add({ text: "mine" }), { actor: ada }));
    const { id = "" } = thread.getState().todo[0] ?? {};
    accepted(await thread.dispatch(op.edit({ id, text: "mine, edited" }), { actor: ada }));
    expect(kept(await undoRun(thread))).toEqual({ recomputed: [], carried: [] });
    expect(texts(thread.getState().todo)).toEqual(["one", "two", "three", "mine, edited"]);
    expect(thread.getState().todo[3]?.id).toBe(id);
  });

  it("keeps the computed id that a person saw", async () => {
    const thread = await open({ cards: [card("T-9", "nine")] });
    accepted(await thread.dispatch(op.addNext({ text: "ten" }), RUN));
    accepted(await thread.dispatch(op.addNext({ text: "eleven" }), { actor: ada }));
    accepted(await thread.dispatch(op.edit({ id: "T-11", text: "eleven, edited" }), { actor: ada }));
    expect(kept(await undoRun(thread))).toEqual({ recomputed: [], carried: [2] });
    expect(thread.getState().todo).toEqual([card("T-9", "nine"), card("T-11", "eleven, edited")]);
  });
});

describe("undo: values", () => {
  async function counted(): Promise<{ readonly log: Log; readonly ids: readonly string[] }> {
    const log = memoryLog();
    const thread = await open({}, log);
    const ids = ["i1", "i2", "i3", "i4", "i5"];
    accepted(await thread.dispatch(op.title({ text: "mine" }), { actor: ada, id: "title" }));
    for (const id of ids) accepted(await thread.dispatch(op.inc({ by: 1 }), { actor: ada, id }));
    await thread.close();
    return { log, ids };
  }

  it("does not count again by code that counts otherwise", async () => {
    const { log } = await counted();
    const thread = await open({ factor: 100 }, log);
    accepted(await thread.undo({ ids: ["title"] }, { actor: ada }));
    expect(thread.getState()).toMatchObject({ title: "untitled", n: 5 });
  });

  it("names what other code would count otherwise", async () => {
    const { log, ids } = await counted();
    const thread = await open({ factor: 100 }, log);
    expect(dependents(await thread.undo({ ids: ["i1"] }, { actor: ada }))).toEqual(ids.slice(1));
    expect(thread.getState().n).toBe(5);
  });

  it("computes a sum anew, and says so", async () => {
    const thread = await open();
    accepted(await thread.dispatch(op.inc({ by: 5 }), RUN));
    accepted(await thread.dispatch(op.inc({ by: 7 }), { actor: ada }));
    expect(kept(await undoRun(thread))).toEqual({ recomputed: [2], carried: [] });
    expect(thread.getState().n).toBe(7);
  });

  it("keeps a bill as it was made", async () => {
    const thread = await open();
    accepted(await thread.dispatch(op.setRate({ rate: 5 }), RUN));
    accepted(await thread.dispatch(op.bill({ text: "week 1", hours: 10 }), { actor: ada }));
    expect(kept(await undoRun(thread)).carried).toEqual([2]);
    expect(thread.getState()).toMatchObject({ rate: 2, bills: [{ text: "week 1", amount: 50 }] });
  });
});

describe("undo: the list is another one", () => {
  it.each([
    ["shifted", op.addOnTop({ text: "new" })],
    ["sorted", op.sort({})],
  ])("keeps an edit by id where the run had it %s", async (_, operation) => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(operation, RUN));
    accepted(await thread.dispatch(op.edit({ id: "T-2", text: "two, edited" }), { actor: ada }));
    expect(kept(await undoRun(thread))).toEqual({ recomputed: [], carried: [] });
    expect(texts(thread.getState().todo)).toEqual(["one", "two, edited", "three"]);
  });

  it("keeps an edit of a card that the run had moved with others", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.startAll({}), RUN));
    accepted(await thread.dispatch(op.edit({ id: "T-2", text: "two, edited" }), { actor: ada }));
    expect(kept(await undoRun(thread))).toEqual({ recomputed: [], carried: [] });
    expect(texts(thread.getState().todo)).toEqual(["one", "two, edited", "three"]);
    expect(thread.getState().doing).toEqual([]);
  });

  it("keeps an edit of a card that the run had moved and edited at once", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.finishCard({ id: "T-2" }), RUN));
    accepted(await thread.dispatch(op.edit({ id: "T-2", text: "two, edited" }), { actor: ada }));
    expect(kept(await undoRun(thread))).toEqual({ recomputed: [], carried: [] });
    expect(thread.getState().todo).toEqual([card("T-1", "one"), card("T-2", "two, edited"), card("T-3", "three")]);
  });

  it("keeps of a replacement what the person changed", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.add({ text: "the run's" }), RUN));
    accepted(await thread.dispatch({ ...thread.getState(), title: "mine" }, { actor: ada }));
    expect(kept(await undoRun(thread)).carried).toEqual([2]);
    expect(thread.getState()).toMatchObject({ title: "mine", todo: three });
  });

  it("removes the card that was removed, not the one that has its place", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.addOnTop({ text: "new" }), RUN));
    accepted(await thread.dispatch(op.removeAt({ at: 2 }), { actor: ada }));
    expect(kept(await undoRun(thread)).carried).toEqual([2]);
    expect(texts(thread.getState().todo)).toEqual(["one", "three"]);
  });

  it("leaves a card alone that comes back into a column that was cleared", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.remove({ id: "T-2" }), RUN));
    accepted(await thread.dispatch(op.clear({}), { actor: ada }));
    expect(kept(await undoRun(thread)).carried).toEqual([2]);
    expect(texts(thread.getState().todo)).toEqual(["two"]);
  });

  it("leaves a task with the worker who has it", async () => {
    const thread = await open();
    accepted(await thread.dispatch(op.assign({ task: "the run's" }), RUN));
    accepted(await thread.dispatch(op.assign({ task: "mine" }), { actor: ada }));
    expect(kept(await undoRun(thread)).carried).toEqual([2]);
    expect(thread.getState().workers.map(({ task }) => task)).toEqual(["", "mine"]);
  });

  it("needs no removal of what is undone anyway", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.addNext({ text: "the run's" }), RUN));
    accepted(await thread.dispatch(op.remove({ id: "T-4" }), { actor: ada }));
    accepted(await undoRun(thread));
    expect(thread.getState().todo).toEqual(three);
  });

  it.each([
    ["refused", false],
    ["silent", true],
  ])("names a finish that is %s without the start", async (_, quiet) => {
    const thread = await open();
    accepted(await thread.dispatch(op.start({}), RUN));
    accepted(await thread.dispatch(op.finish({ quiet }), { actor: ada, id: "finish" }));
    expect(dependents(await undoRun(thread))).toEqual(["finish"]);
    expect(thread.getState().status).toBe("finished");
  });

  it("changes another thing where the definition says that it may", async () => {
    const thread = await open({ cards: three, retarget: true });
    accepted(await thread.dispatch(op.addOnTop({ text: "new" }), RUN));
    accepted(await thread.dispatch(op.editFirst({ text: "first" }), { actor: ada }));
    accepted(await undoRun(thread));
    expect(texts(thread.getState().todo)).toEqual(["first", "two", "three"]);
  });
});

describe("redo", () => {
  it("gives the very state at once", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.add({ text: "the run's" }), RUN));
    accepted(await thread.dispatch(op.startAll({}), RUN));
    accepted(await thread.dispatch(op.inc({ by: 7 }), { actor: ada }));
    const before = thread.getState();
    accepted(await thread.undo({ runId: "run" }, { actor: ada, id: "undo" }));
    expect(thread.getState()).not.toEqual(before);
    accepted(await thread.undo({ ids: ["undo"] }, { actor: ada, id: "redo" }));
    expect(thread.getState()).toEqual(before);
    accepted(await thread.undo({ ids: ["redo"] }, { actor: ada }));
    expect(thread.getState()).toMatchObject({ n: 7, todo: three, doing: [] });
  });

  it("keeps what was edited in between", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.add({ text: "the run's" }), RUN));
    const { id } = thread.getState().todo[3]!;
    accepted(await thread.undo({ runId: "run" }, { actor: ada, id: "undo" }));
    accepted(await thread.dispatch(op.edit({ id: "T-1", text: "one, edited" }), { actor: ada }));
    accepted(await thread.undo({ ids: ["undo"] }, { actor: ada }));
    expect(texts(thread.getState().todo)).toEqual(["one, edited", "two", "three", "the run's"]);
    expect(thread.getState().todo[3]?.id).toBe(id);
  });

  it("names the edit of a card that came back and would go again", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.dispatch(op.remove({ id: "T-2" }), RUN));
    accepted(await thread.undo({ runId: "run" }, { actor: ada, id: "undo" }));
    accepted(await thread.dispatch(op.edit({ id: "T-2", text: "two, edited" }), { actor: ada, id: "edit" }));
    expect(dependents(await thread.undo({ ids: ["undo"] }, { actor: ada }))).toEqual(["edit"]);
    expect(texts(thread.getState().todo)).toEqual(["one", "two, edited", "three"]);
  });
});

describe("merge", () => {
  it("refuses a card and its edit whose computed id is another card's on the parent", async () => {
    const thread = await open({ cards: [card("T-1", "one")] });
    const branch = await thread.branch();
    accepted(await branch.dispatch(op.addNext({ text: "the agent's" }), RUN));
    accepted(await branch.dispatch(op.edit({ id: "T-2", text: "the agent's, edited" }), RUN));
    accepted(await thread.dispatch(op.addNext({ text: "Ada's" }), { actor: ada }));
    const before = thread.getState();
    const merged = await branch.merge({ actor: bob });
    expect(merged.map(({ verdict }) => refused(verdict).code)).toEqual(["conflict", "conflict"]);
    expect(thread.getState()).toBe(before);
  });

  it("says so before", async () => {
    const thread = await open({ cards: [card("T-1", "one")] });
    const branch = await thread.branch();
    accepted(await branch.dispatch(op.addNext({ text: "the agent's" }), RUN));
    accepted(await branch.dispatch(op.edit({ id: "T-2", text: "the agent's, edited" }), RUN));
    accepted(await thread.dispatch(op.addNext({ text: "Ada's" }), { actor: ada }));
    expect((await branch.diff()).map(({ holds }) => holds)).toEqual([false, false]);
  });

  it("brings a card and its edit with the id that it had on the branch", async () => {
    const thread = await open({ cards: [card("T-1", "one")] });
    const branch = await thread.branch();
    accepted(await branch.dispatch(op.add({ text: "the agent's" }), RUN));
    const { id = "" } = branch.getState().todo[1] ?? {};
    accepted(await branch.dispatch(op.edit({ id, text: "the agent's, edited" }), RUN));
    accepted(await thread.dispatch(op.add({ text: "Ada's" }), { actor: ada }));
    for (const { verdict } of await branch.merge({ actor: bob })) accepted(verdict);
    expect(thread.getState().todo.find((card) => card.id === id)?.text).toBe("the agent's, edited");
    expect(texts(thread.getState().todo)).toContain("Ada's");
  });

  it("never edits by place what is another card on the parent", async () => {
    const thread = await open({ cards: three });
    const branch = await thread.branch();
    accepted(await branch.dispatch(op.editAt({ at: 0, text: "one, edited" }), RUN));
    accepted(await thread.dispatch(op.addOnTop({ text: "Ada's" }), { actor: ada }));
    await branch.merge({ actor: bob });
    expect(thread.getState().todo[0]?.text).toBe("Ada's");
  });

  it("makes other ids for one submission id on the branch and on the parent", async () => {
    const thread = await open();
    const branch = await thread.branch();
    accepted(await branch.dispatch(op.add({ text: "there" }), { actor: ada, id: "same" }));
    accepted(await thread.dispatch(op.add({ text: "here" }), { actor: ada, id: "same" }));
    expect(branch.getState().todo[0]?.id).not.toBe(thread.getState().todo[0]?.id);
  });
});

describe("approval", () => {
  it("makes the card that the proposal showed", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.propose(op.add({ text: "proposed" }), { actor: agent, id: "p" }));
    const [proposal] = await thread.proposals();
    accepted(await thread.approve("p", { actor: ada }));
    const value = thread.getState().todo[3];
    expect(proposal?.patches).toEqual([{ op: "add", path: "/todo/3", value }]);
  });

  it("never edits by place what is another card by now, even anyway", async () => {
    const thread = await open({ cards: three });
    accepted(await thread.propose(op.editAt({ at: 0, text: "proposed" }), { actor: agent, id: "p" }));
    accepted(await thread.dispatch(op.addOnTop({ text: "Ada's" }), { actor: ada }));
    await thread.approve("p", { actor: ada, anyway: true });
    expect(thread.getState().todo[0]?.text).toBe("Ada's");
  });
});

describe("edits made offline", () => {
  async function offline(cards: readonly Card[], retarget = false) {
    const definition = defineBoard({ cards, retarget });
    const thread = await openThread({ definition, log: memoryLog(), threadId: "board" });
    const door = gate(() => thread as Thread, bob);
    const replica = createReplica({ definition, transport: door.transport });
    await replica.ready();
    door.cut();
    return { thread, replica, door };
  }

  it("never go to the card of another person that has the computed id now", async () => {
    const { thread, replica, door } = await offline([card("T-1", "one")]);
    const add = replica.dispatch(op.addNext({ text: "Bob's" }));
    const edit = replica.dispatch(op.edit({ id: "T-2", text: "Bob's, edited" }));
    accepted(await thread.dispatch(op.addNext({ text: "Ada's" }), { actor: ada }));
    door.join();
    expect(refused(await edit)).toMatchObject({ code: "conflict", reason: "other_thing" });
    await add;
    expect(texts(thread.getState().todo)).toContain("Ada's");
    replica.close();
  });

  it("never go to the card that has the place now", async () => {
    const { thread, replica, door } = await offline(three);
    const edit = replica.dispatch(op.editAt({ at: 0, text: "one, edited" }));
    accepted(await thread.dispatch(op.addOnTop({ text: "Ada's" }), { actor: ada }));
    door.join();
    expect(refused(await edit)).toMatchObject({ code: "conflict", reason: "other_thing" });
    expect(texts(thread.getState().todo)).toEqual(["Ada's", "one", "two", "three"]);
    replica.close();
  });

  it("go to their card wherever it is", async () => {
    const { thread, replica, door } = await offline(three);
    const edit = replica.dispatch(op.edit({ id: "T-2", text: "two, edited" }));
    accepted(await thread.dispatch(op.startAll({}), { actor: ada }));
    door.join();
    accepted(await edit);
    expect(texts(thread.getState().doing)).toEqual(["one", "two, edited", "three"]);
    replica.close();
  });

  it("go to another card where the definition says that they may", async () => {
    const { thread, replica, door } = await offline(three, true);
    const edit = replica.dispatch(op.editFirst({ text: "first" }));
    accepted(await thread.dispatch(op.addOnTop({ text: "Ada's" }), { actor: ada }));
    door.join();
    accepted(await edit);
    expect(texts(thread.getState().todo)).toEqual(["first", "one", "two", "three"]);
    replica.close();
  });

  it("come to the thread with the ids that the page showed", async () => {
    const { thread, replica, door } = await offline([]);
    const add = replica.dispatch(op.add({ text: "Bob's" }));
    const { id } = replica.getState().todo[0]!;
    accepted(await thread.dispatch(op.add({ text: "Ada's" }), { actor: ada }));
    door.join();
    accepted(await add);
    expect(thread.getState().todo.find(({ text }) => text === "Bob's")?.id).toBe(id);
    replica.close();
  });
});
