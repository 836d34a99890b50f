// The pace: readers run at most once for each frame, and an event handler has the newest value.

import { AgentState } from "@opstate/svelte";
import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";
import { openPage, shelf } from "../support/shelf.ts";
import { watch } from "../support/watch.svelte.ts";

test("between frames readers keep their value, and who reads without being run again gets the newest", async () => {
  const { page, act } = await openPage();
  const board = new AgentState(page);
  const { seen } = watch(() => board.current.count);
  await expect.poll(() => page.sync.getState().status).toBe("online");
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const frames = vi.spyOn(globalThis, "requestAnimationFrame").mockReturnValue(0);
  for (const id of ["a", "b", "c"]) await act({ type: "put", id, label: id });
  flushSync();
  expect([seen, board.current.count]).toEqual([[0, 1], 3]);
  void page.dispatch(shelf.op.rename({ title: "Mine" }));
  flushSync();
  expect(seen).toEqual([0, 1, 3]);
  frames.mockRestore();
});

test("follows in a hidden page, which has no frames", async () => {
  const { page, act } = await openPage();
  const frames = vi.spyOn(globalThis, "requestAnimationFrame").mockReturnValue(0);
  const board = new AgentState(page);
  const { seen } = watch(() => board.current.count);
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "put", id: "b", label: "B" });
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe(2);
  frames.mockRestore();
});
