import { AgentState } from "@opstate/svelte";
import { flushSync } from "svelte";
import { expect, test } from "vitest";
import { openPage, openShelf, shelf } from "./support/shelf.ts";
import { watch } from "./support/watch.svelte.ts";

test("shows what is pending, confirmed and refused", async () => {
  const { page, gate, act } = await openPage();
  const board = new AgentState(page);
  const { seen } = watch(() => board.sync);
  expect(seen).toMatchObject([{ status: "online", version: 0, pending: [], rejections: [] }]);
  const [rename, put] = [shelf.op.rename({ title: "Books" }), shelf.op.put({ id: "a", label: "mine" })];
  gate.hold = true;
  const verdicts = Promise.all([board.dispatch(rename), board.dispatch(put)]);
  flushSync();
  expect(seen.at(-1)?.pending.map(({ operation }) => operation)).toEqual([rename, put]);
  await act({ type: "put", id: "a", label: "theirs" });
  gate.release();
  await verdicts;
  flushSync();
  expect(seen.at(-1)).toMatchObject({ version: 2, pending: [], rejections: [{ operation: put }] });
});

test("a value derived from one part changes only with that part", async () => {
  const { page, act } = await openPage();
  const board = new AgentState(page);
  const waiting = $derived(board.sync.pending.length);
  const { seen } = watch(() => waiting);
  await act({ type: "rename", title: "Of another" });
  flushSync();
  expect(page.sync.getState().version).toBe(1);
  expect(seen).toEqual([0]);
});

test("is undefined for a thread", async () => {
  expect(new AgentState((await openShelf()).thread).sync).toBeUndefined();
});
