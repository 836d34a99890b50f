import { AgentState } from "@opstate/svelte";
import { flushSync } from "svelte";
import { expect, test } from "vitest";
import { openPage, openShelf, shelf } from "./support/shelf.ts";
import { watch } from "./support/watch.svelte.ts";

test("returns the rejection that an operation would get, and follows the state", async () => {
  const { thread, act } = await openShelf();
  const board = new AgentState(thread);
  const { seen } = watch(() => board.can(shelf.op.put({ id: "a", label: "A" })));
  expect(seen).toEqual([undefined]);
  await act({ type: "put", id: "a", label: "A" });
  flushSync();
  expect(seen.at(-1)).toMatchObject({ code: "refused", reason: "taken" });
});

test("checks the permission of a known actor, and returns undefined without an operation", async () => {
  const board = new AgentState((await openShelf()).thread);
  expect(board.can(shelf.op.seal({}), { kind: "user", id: "x" })).toMatchObject({ code: "forbidden" });
  expect(board.can(shelf.op.seal({}), { kind: "system", id: "x" })).toBeUndefined();
  expect(board.can(undefined, { kind: "user", id: "x" })).toBeUndefined();
});

test("checks the permission of the actor who is connected", async () => {
  const board = new AgentState((await openPage()).page);
  expect(board.can(shelf.op.seal({}))).toMatchObject({ code: "forbidden" });
  expect(board.can(shelf.op.seal({}), { kind: "system", id: "x" })).toBeUndefined();
});

test("refuses every operation to an actor who may only read", async () => {
  const { page } = await openPage();
  const sync = { ...page.sync.getState(), isReadOnly: true as const };
  const board = new AgentState({ ...page, sync: { ...page.sync, getState: () => sync, getInitialState: () => sync } });
  expect(board.can(shelf.op.put({ id: "a", label: "A" }))).toMatchObject({ code: "forbidden", reason: "not_allowed" });
  expect(board.can(undefined)).toBeUndefined();
});
