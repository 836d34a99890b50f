// Proposals about items of lists: what others add, remove and move beside them does not make them
// stale, what happens to the items does.

import { type Actor, defineState, memoryLog, openThread, type OperationOf } from "@opstate/core";
import { beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { boardWith, openBoard } from "../undo/scenario-board.ts";

const ada: Actor = { kind: "user", id: "ada" };
const robot: Actor = { kind: "agent", id: "robot" };

const Item = z.object({ id: z.string(), title: z.string(), rank: z.int() });
const List = z.object({ id: z.string(), count: z.int(), items: z.array(Item) });
type Lists = z.infer<typeof List>[];

const find = (lists: Lists, id: string) =>
  lists.flatMap((list) => list.items.map((item, at) => ({ list, item, at }))).find((f) => f.item.id === id);

const shelves = defineState({
  name: "shelves",
  schema: z.object({ lists: z.array(List) }),
  derive: { "/lists/*/count": (list) => list.items.length },
  initial: {
    lists: [
      { id: "todo", count: 4, items: ["a", "b", "c", "d"].map((id) => ({ id, title: id, rank: 1 })) },
      { id: "done", count: 0, items: [] },
    ],
  },
  operations: {
    move: {
      input: z.object({ id: z.string(), to: z.string() }),
      apply({ lists }, { id, to }, { reject }) {
        const found = find(lists, id);
        const target = lists.find((list) => list.id === to);
        if (!found || !target) return reject("not_found", `There is no "${id}" or no "${to}"`);
        const [item] = found.list.items.splice(found.at, 1);
        if (item) target.items.push(item);
      },
    },
    rank: {
      input: z.object({ id: z.string(), rank: z.int() }),
      apply({ lists }, { id, rank }, { reject }) {
        const found = find(lists, id);
        if (!found) return reject("not_found", `There is no "${id}"`);
        found.item.rank = rank;
      },
    },
    rankAt: {
      description: "By position, whatever stands there",
      input: z.object({ at: z.int(), rank: z.int() }),
      apply({ lists }, { at, rank }, { reject }) {
        const item = lists[0]?.items[at];
        if (!item) return reject("not_found", `There is nothing at ${at}`);
        item.rank = rank;
      },
    },
    drop: {
      input: z.object({ ids: z.array(z.string()) }),
      apply({ lists }, { ids }) {
        for (const list of lists)
          for (let at = list.items.length - 1; at >= 0; at--)
            if (ids.includes(list.items[at]!.id)) list.items.splice(at, 1);
      },
    },
    dropFirst: {
      description: "By position, whatever stands there",
      input: z.object({ many: z.int() }),
      apply: ({ lists }, { many }) => void lists[0]?.items.splice(1, many),
    },
    tally: {
      description: "Write the number of items into a title",
      input: z.object({ id: z.string() }),
      apply({ lists }, { id }) {
        const found = find(lists, id);
        if (found) found.item.title = `one of ${found.list.items.length}`;
      },
    },
    retitle: {
      input: z.object({ id: z.string(), title: z.string() }),
      apply({ lists }, { id, title }) {
        const found = find(lists, id);
        if (found) found.item.title = title;
      },
    },
  },
});

const open = () => openThread({ definition: shelves, log: memoryLog(), threadId: "t" });
let thread: Awaited<ReturnType<typeof open>>;
beforeEach(async () => void (thread = await open()));

const propose = (id: string, operation: OperationOf<typeof shelves>) => thread.propose(operation, { actor: robot, id });
const edit = (operation: OperationOf<typeof shelves>) => thread.dispatch(operation, { actor: ada });
const stale = async (id: string) => (await thread.proposals()).find((each) => each.id === id)?.stale;
const approve = async (id: string) => {
  const verdict = await thread.approve(id, { actor: ada });
  return verdict.accepted ? "accepted" : verdict.rejection.reason;
};
const ids = () => thread.getState().lists.map(({ items }) => items.map(({ id }) => id).join(""));

it("several of them about one list can all be approved, in any order", async () => {
  await propose("a", { type: "move", id: "a", to: "done" });
  await propose("c", { type: "move", id: "c", to: "done" });
  await propose("d", { type: "rank", id: "d", rank: 5 });
  await propose("b", { type: "drop", ids: ["b"] });
  expect([await approve("a"), await approve("d"), await approve("c"), await approve("b")]).toEqual([
    "accepted",
    "accepted",
    "accepted",
    "accepted",
  ]);
  expect(ids()).toEqual(["d", "ac"]);
  expect(thread.getState().lists.flatMap((list) => list.items)).toContainEqual({ id: "d", title: "d", rank: 5 });
});

it("is stale when the item was moved elsewhere, changed, or removed", async () => {
  await propose("move", { type: "move", id: "b", to: "done" });
  await propose("rank", { type: "rank", id: "c", rank: 5 });
  await propose("drop", { type: "drop", ids: ["d"] });
  await edit({ type: "move", id: "b", to: "done" });
  await edit({ type: "rank", id: "c", rank: 2 });
  await edit({ type: "retitle", id: "d", title: "other" });
  expect(await stale("move")).not.toEqual([]);
  expect([await approve("move"), await approve("rank"), await approve("drop")]).toEqual([
    "changed",
    "changed",
    "changed",
  ]);
});

it("is stale when the item moved within its list and something else in it was changed too", async () => {
  await propose("rank", { type: "rank", id: "c", rank: 5 });
  await edit({ type: "drop", ids: ["a"] });
  expect(await stale("rank")).toEqual([]);
  await edit({ type: "retitle", id: "c", title: "other" });
  expect(await approve("rank")).toBe("changed");
});

it("is stale when the same operation would now fall on another item", async () => {
  await propose("at", { type: "rankAt", at: 3, rank: 5 });
  await propose("first", { type: "dropFirst", many: 2 });
  await edit({ type: "drop", ids: ["c"] });
  expect(await approve("first")).toBe("changed");
  expect(await approve("at")).not.toBe("accepted");
  expect(ids()).toEqual(["abd", ""]);
});

it("is stale when the item is in another list now", async () => {
  await propose("rank", { type: "rank", id: "b", rank: 5 });
  await edit({ type: "move", id: "b", to: "done" });
  expect(await approve("rank")).toBe("changed");
});

it("is stale when it would write something else than was shown", async () => {
  await propose("tally", { type: "tally", id: "d" });
  await edit({ type: "drop", ids: ["a"] });
  expect(await approve("tally")).toBe("changed");
});

it("is stale when it would do more than was shown", async () => {
  await propose("drop", { type: "drop", ids: ["a", "z"] });
  const item = { id: "z", title: "z", rank: 1 };
  const { lists } = thread.getState();
  await thread.dispatch(
    {
      type: "$replace",
      value: {
        lists: lists.map((list) => ({ ...list, items: [...list.items, ...(list.id === "todo" ? [item] : [])] })),
      },
    },
    { actor: { kind: "system", id: "s" } },
  );
  expect(await approve("drop")).toBe("changed");
});

it("is stale when another item is there that is equal to the one that was shown, and says which by its title", async () => {
  await edit({ type: "retitle", id: "c", title: "c" });
  const { lists } = thread.getState();
  const twins = lists.map((list) => ({
    ...list,
    items: list.items.map((item) => ({ ...item, id: "t", title: "twin" })),
  }));
  await thread.dispatch({ type: "$replace", value: { lists: twins } }, { actor: { kind: "system", id: "s" } });
  await propose("first", { type: "rankAt", at: 0, rank: 5 });
  await edit({ type: "dropFirst", many: 1 });
  expect(await stale("first")).toEqual([]);
  await edit({ type: "move", id: "t", to: "done" });
  expect(await stale("first")).toEqual(["/lists/0/items/0"]);
  const verdict = await thread.approve("first", { actor: ada });
  expect(verdict).toMatchObject({
    rejection: {
      reason: "changed",
      message: expect.stringContaining('"twin" (/lists/0/items/0)'),
      details: { changed: ["/lists/0/items/0"] },
    },
  });
});

it("never changes another item than was shown, also when it is approved anyway", async () => {
  await propose("at", { type: "rankAt", at: 0, rank: 5 });
  await edit({ type: "drop", ids: ["a"] });
  const verdict = await thread.approve("at", { actor: ada, anyway: true });
  expect(verdict).toMatchObject({
    rejection: {
      code: "conflict",
      reason: "other_thing",
      message: expect.stringContaining('"b" (/lists/0/items/0)'),
      details: { things: ["/lists/0/items/0"] },
    },
  });
  expect(thread.getState().lists[0]?.items.map(({ rank }) => rank)).toEqual([1, 1, 1]);
});

it.each([
  { type: "add", column: "done", title: "new" },
  { type: "move", id: "T-2", to: "done" },
] as const)("is stale when today's code would put a thing elsewhere than was shown: $type", async (operation) => {
  const log = memoryLog();
  const old = await openBoard(log);
  await old.thread.propose(operation, { actor: robot, id: "p" });
  // Another thing in that list is no reason.
  await old.user({ type: "add", column: "done", title: "Ada's" });
  expect(await old.thread.proposals()).toMatchObject([{ stale: [] }]);
  await old.thread.close();
  const { thread, titles } = await openBoard(log, boardWith({ otherEnd: true }));
  const changed = ["/columns/1/cards"];
  expect(await thread.proposals()).toMatchObject([{ stale: changed }]);
  expect(await thread.approve("p", { actor: ada })).toMatchObject({
    rejection: { code: "conflict", reason: "changed", details: { changed } },
  });
  expect(titles("done")).toEqual(["nine", "Ada's"]);
  expect(await thread.approve("p", { actor: ada, anyway: true })).toMatchObject({ accepted: true });
  expect(titles("done")).toHaveLength(3);
});
