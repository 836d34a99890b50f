import { useCan } from "@opstate/react";
import { expect, test } from "vitest";
import { renderHook } from "vitest-browser-react";
import { openPage, openShelf, shelf } from "./support/shelf.ts";

test("returns the rejection that an operation would get, and follows the state", async () => {
  const { thread, act } = await openShelf();
  const { result } = await renderHook(() => useCan(thread, shelf.op.put({ id: "a", label: "A" })));
  expect(result.current).toBeUndefined();
  await act({ type: "put", id: "a", label: "A" });
  await expect.poll(() => result.current).toMatchObject({ code: "refused", reason: "taken" });
});

test("an equal rejection keeps its reference", async () => {
  const { thread, act } = await openShelf();
  const { result, rerender } = await renderHook(() => useCan(thread, shelf.op.label({ id: "x", label: "X" })));
  const first = result.current;
  expect(first).toMatchObject({ reason: "missing" });
  await act({ type: "rename", title: "Other" });
  await rerender();
  expect(result.current).toBe(first);
});

test("checks the permission of a known actor, and returns undefined without an operation", async () => {
  const { thread } = await openShelf();
  const { result, rerender } = await renderHook(
    ({ kind, ask }: { kind: string; ask: boolean } = { kind: "user", ask: true }) =>
      useCan(thread, ask ? shelf.op.seal({}) : undefined, { kind, id: "x" }),
  );
  expect(result.current).toMatchObject({ code: "forbidden" });
  await rerender({ kind: "system", ask: true });
  expect(result.current).toBeUndefined();
  await rerender({ kind: "user", ask: false });
  expect(result.current).toBeUndefined();
});

test("checks the permission of the actor who is connected", async () => {
  const { page } = await openPage();
  const { result } = await renderHook(() => [
    useCan(page, shelf.op.seal({})),
    useCan(page, shelf.op.seal({}), { kind: "system", id: "x" }),
  ]);
  expect(result.current).toMatchObject([{ code: "forbidden" }, undefined]);
});

test("refuses every operation to an actor who may only read", async () => {
  const { page } = await openPage();
  const sync = { ...page.sync.getState(), isReadOnly: true as const };
  const readOnly = { ...page, sync: { ...page.sync, getState: () => sync, getInitialState: () => sync } };
  const { result } = await renderHook(() => [
    useCan(readOnly, shelf.op.put({ id: "a", label: "A" })),
    useCan(readOnly, undefined),
  ]);
  expect(result.current).toMatchObject([{ code: "forbidden", reason: "not_allowed" }, undefined]);
});
