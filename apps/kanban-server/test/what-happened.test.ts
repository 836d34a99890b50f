// What happened on a board stays what happened: an undo or a merge changes no other card, code that
// changed does not decide the past anew, and nothing changes without a commit. On the demo's board,
// over HTTP; the log is in memory, or a SQLite file that is opened again.

import type { Actor, Verdict } from "@opstate/core";
import { type Board, board, boardFrom, sampleBoard } from "@opstate/kanban-domain";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { type BoardHost, boardHost, STORES } from "./support/board-host.ts";
import { type BoardDraft, boardWith, cardsOf, operationOf } from "./support/board-with.ts";

afterEach(() => vi.unstubAllEnvs());

const user = (id: string): Actor => ({ kind: "user", id });
const robot: Actor = { kind: "agent", id: "robot" };

const move = (cardId: string, toColumn: string) => board.op.move({ cardId, toColumn });
const rename = (cardId: string, title: string) => board.op.editCard({ cardId, title });
const add = (title: string) => board.op.addCard({ columnId: "backlog", title });

/** The board on which the id of a new card is the next number, as its author computes it. */
const numbered = () =>
  boardWith({
    addCard: {
      input: z.object({ columnId: z.string(), title: z.string() }),
      apply(draft, { columnId, title }) {
        const used = cardsOf(draft).map(({ cardId }) => Number(cardId.slice(2)));
        const column = draft.columns.find((each) => each.columnId === columnId);
        column?.cards.push({ cardId: `T-${Math.max(0, ...used) + 1}`, title, priority: 3 });
      },
    },
  });

const titleOf = (board: Board, cardId: string) =>
  board.columns.flatMap(({ cards }) => cards).find((card) => card.cardId === cardId)?.title;
const backlog = ({ columns }: Board) => columns[0]?.cards.map(({ title }) => title) ?? [];

const accepted = { accepted: true };
const dependents = (...ids: readonly string[]) => ({
  accepted: false,
  rejection: { code: "conflict", reason: "dependents", details: { dependents: ids } },
});

describe.each(STORES)("on a board whose log is in %s", (store) => {
  async function open(...given: Parameters<BoardHost["start"]>) {
    const host = boardHost(store);
    await host.start(...given);
    return host;
  }

  describe("the undo of a run", () => {
    test("never puts a person's title on another card of the same id", async () => {
      const host = await open();
      const ada = host.as(user("ada"));
      const value = boardFrom({
        columns: [{ title: "Backlog", cards: [{ cardId: "T-15", title: "Register the domain" }] }],
      });
      expect(await host.as(robot).submit({ type: "$replace", value }, { runId: "r" })).toMatchObject(accepted);
      await ada.submit(rename("T-15", "Ada's own words"), { id: "rename" });
      expect(await ada.undo({ runId: "r" })).toMatchObject(dependents("rename"));
      expect(backlog(await host.board())).toEqual(["Ada's own words"]);
      expect(await ada.undo({ runId: "r" }, { onDependent: "keep" })).toMatchObject(accepted);
      expect(await host.board()).toEqual(sampleBoard);
    });

    test("leaves a card that was added meanwhile what it is", async () => {
      const host = await open();
      const ada = host.as(user("ada"));
      await host.as(robot).submit({ type: "remove", fromColumn: "backlog" }, { runId: "r" });
      await ada.submit(add("Mine"));
      const mine = (await host.board()).columns[0]!.cards[0]!;
      await ada.submit(rename(mine.cardId, "Mine, edited"));
      expect(await ada.undo({ runId: "r" })).toMatchObject(accepted);
      expect((await host.board()).columns[0]?.cards).toEqual([
        ...sampleBoard.columns[0]!.cards,
        { ...mine, title: "Mine, edited" },
      ]);
    });

    test("names a card whose computed id another one has by then", async () => {
      const host = await open(numbered());
      const ada = host.as(user("ada"));
      for (const { columnId } of sampleBoard.columns)
        await host.as(robot).submit({ type: "remove", fromColumn: columnId }, { runId: "r" });
      await ada.submit(add("Mine"), { id: "add" });
      await ada.submit(rename("T-1", "Mine, edited"), { id: "edit" });
      expect(await ada.undo({ runId: "r" })).toMatchObject(dependents("add", "edit"));
      expect(backlog(await host.board())).toEqual(["Mine, edited"]);
    });
  });

  describe("a merge", () => {
    async function bothAdd(definition?: Parameters<BoardHost["start"]>[0]) {
      const host = await open(definition);
      const ada = host.as(user("ada"));
      const agent = host.as(robot);
      const branch = await ada.branch();
      const { threadId } = branch;
      await agent.submit(add("Agent's"), { threadId });
      const { cardId } = (await host.board(threadId)).columns[0]!.cards.at(-1)!;
      await agent.submit(rename(cardId, "Agent's, refined"), { threadId });
      await ada.submit(add("Ada's"));
      const before = backlog(await host.board());
      const holds = (await branch.diff()).map((change) => change.holds);
      const verdicts = (await branch.merge()).map(({ verdict }) => verdict);
      await host.start(definition);
      return { holds, verdicts, before, after: backlog(await host.board()) };
    }

    test("brings a card and what was done to it beside the one that a person added", async () => {
      const { holds, verdicts, before, after } = await bothAdd();
      expect(holds).toEqual([true, true]);
      expect(verdicts).toMatchObject([accepted, accepted]);
      expect(after).toEqual([...before, "Agent's, refined"]);
    });

    test("says which card has the id that was computed on the branch too", async () => {
      const { holds, verdicts, before, after } = await bothAdd(numbered());
      expect(holds).toEqual([false, false]);
      const message = expect.stringContaining(`"Ada's"`);
      expect(verdicts).toMatchObject([
        { accepted: false, rejection: { code: "conflict", reason: "other_thing", message } },
        { accepted: false, rejection: { code: "conflict", reason: "dependents", message } },
      ]);
      expect(after).toEqual(before);
    });
  });

  describe("code that changed between two starts", () => {
    const TITLE = titleOf(sampleBoard, "T-1");
    const MARKS = ["m1", "m2", "m3", "m4", "m5"];

    /** Another code writes another mark behind a card's title. */
    const marking = (mark: string) =>
      boardWith({
        mark: {
          input: z.object({ cardId: z.string() }),
          apply(draft, { cardId }) {
            for (const card of cardsOf(draft)) if (card.cardId === cardId) card.title += mark;
          },
        },
      });

    /** A card is renamed and T-1 marked five times. Then the code is another one. */
    async function changed() {
      const host = await open(marking("!"));
      await host.as(user("ada")).submit(rename("T-2", "Night colours"), { id: "rename" });
      for (const id of MARKS) await host.as(robot).submit({ type: "mark", cardId: "T-1" }, { id });
      await host.start(marking("?"));
      return { host, ada: host.as(user("ada")) };
    }

    test("does not do again what it would do otherwise", async () => {
      const { host, ada } = await changed();
      expect(titleOf(await host.board(), "T-1")).toBe(`${TITLE}!!!!!`);
      expect(await ada.undo({ ids: ["rename"] })).toMatchObject(accepted);
      await host.start(marking("?"));
      expect(titleOf(await host.board(), "T-2")).toBe(titleOf(sampleBoard, "T-2"));
      expect(titleOf(await host.board(), "T-1")).toBe(`${TITLE}!!!!!`);
    });

    test("is named where it would do otherwise what stays", async () => {
      const { host, ada } = await changed();
      expect(await ada.undo({ ids: ["m1"] })).toMatchObject(dependents(...MARKS.slice(1)));
      expect(titleOf(await host.board(), "T-1")).toBe(`${TITLE}!!!!!`);
    });

    test("leaves cards where they were put, and puts others where it does now", async () => {
      const own = operationOf("move");
      const toTheTop = boardWith({
        move: {
          ...own,
          apply: (draft, input, context) => own.apply(draft, { position: 0, ...Object(input) }, context),
        },
      });
      const host = await open();
      const agent = host.as(robot);
      await agent.submit(rename("T-42", "Undo for everyone"), { runId: "r" });
      await agent.submit(move("T-1", "done"));
      await agent.submit(move("T-2", "done"));
      const done = async () => (await host.board()).columns[3]!.cards.map(({ cardId }) => cardId);
      const before = await done();
      await host.start(toTheTop);
      expect(await host.as(user("ada")).undo({ runId: "r" })).toMatchObject(accepted);
      expect(await done()).toEqual(before);
      await host.as(robot).submit(move("T-3", "done"));
      expect(await done()).toEqual(["T-3", ...before]);
    });

    test("does what is new", async () => {
      const { host, ada } = await changed();
      await ada.submit({ type: "mark", cardId: "T-1" }, { id: "m6" });
      expect(titleOf(await host.board(), "T-1")).toBe(`${TITLE}!!!!!?`);
      await ada.undo({ ids: ["m6"] });
      expect(titleOf(await host.board(), "T-1")).toBe(`${TITLE}!!!!!`);
    });
  });

  describe("in production", () => {
    /** Writes to what a callback should only read. */
    const WRITES: Readonly<Record<string, (draft: BoardDraft) => unknown>> = {
      some: ({ columns }) => columns.some(({ cards }) => cards.some((card) => (card.priority = 4) > 0)),
      pushInSome: ({ columns }) =>
        columns.some(({ cards }) => cards.push({ cardId: "T-99", title: "New", priority: 1 }) > 0),
      sortInFilter: ({ columns }) => columns.filter(({ cards }) => cards.sort((a, b) => b.priority - a.priority)),
    };
    const writing = (check?: (draft: BoardDraft) => boolean) => {
      vi.stubEnv("NODE_ENV", "production");
      return boardWith(
        Object.fromEntries(
          Object.entries(WRITES).map(([type, write]) => [
            type,
            { input: z.object({}), apply: (draft) => void write(draft) },
          ]),
        ),
        check,
      );
    };
    const failed = (verdict: Verdict) =>
      expect(verdict).toMatchObject({
        accepted: false,
        rejection: { code: "failed", message: expect.stringMatching(/frozen|Cannot/) },
      });

    test.each(Object.keys(WRITES))(
      "a write in a callback is refused with words, and changes nothing: %s",
      async (type) => {
        const host = await open(writing());
        failed(await host.as(user("ada")).submit({ type }));
        expect(await host.board()).toEqual(sampleBoard);
        await host.start(writing());
        expect(await host.board()).toEqual(sampleBoard);
      },
    );

    test("so is one in a check of the schema", async () => {
      const sorting = () =>
        writing(({ columns }) => columns.every(({ cards }) => cards.sort((a, b) => a.priority - b.priority)));
      const state = boardFrom({ columns: [{ title: "Backlog", cards: [{ title: "Only one" }] }] });
      const host = await open(sorting(), state);
      failed(await host.as(user("ada")).submit({ ...add("More urgent"), priority: 1 }));
      expect(await host.board()).toEqual(state);
      await host.start(sorting(), state);
      expect(await host.board()).toEqual(state);
    });
  });

  describe.each([{ runId: "r" }, { actor: robot }])("the undo of %j", (target) => {
    test("takes back what a person approved and merged for the agent, and brings it back", async () => {
      const host = await open();
      const agent = host.as(robot);
      const ada = host.as(user("ada"));
      await agent.submit(move("T-1", "done"), { runId: "r" });
      await agent.propose(move("T-2", "done"), { id: "p", runId: "r" });
      expect(await ada.approve("p", { runId: "ada's" })).toMatchObject(accepted);
      const branch = await ada.branch();
      await agent.submit(move("T-3", "review"), { threadId: branch.threadId, runId: "r" });
      expect(await branch.merge()).toMatchObject([{ verdict: accepted }]);
      await ada.submit(rename("T-42", "Ada's own words"));
      const before = await host.board();
      await host.start();

      const grace = host.as(user("grace"));
      expect(await grace.undo(target, { id: "undo" })).toMatchObject({
        ...accepted,
        commit: { operation: { versions: [[2, 5]] } },
      });
      const [first, ...others] = await host.board().then(({ columns }) => columns);
      expect(others).toEqual(sampleBoard.columns.slice(1));
      expect(first?.cards.map(({ cardId }) => cardId)).toEqual(
        sampleBoard.columns[0]?.cards.map(({ cardId }) => cardId),
      );
      expect(first?.cards[0]?.title).toBe("Ada's own words");
      expect(await grace.redo("undo")).toMatchObject(accepted);
      expect(await host.board()).toEqual(before);
    });
  });
});
