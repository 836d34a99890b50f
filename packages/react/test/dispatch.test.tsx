import { useDispatch } from "@opstate/react";
import { expect, test } from "vitest";
import { renderHook } from "vitest-browser-react";
import { openReplica, shelf } from "./shelf.ts";

test("is one function for one source, and gives the verdict", async () => {
  const one = await openReplica();
  const two = await openReplica();
  const { result, rerender } = await renderHook(({ replica }: typeof one = one) => useDispatch(replica));
  const first = result.current;
  await rerender(one);
  expect(result.current).toBe(first);
  expect(await first(shelf.op.put({ id: "a", label: "A" }))).toMatchObject({ accepted: true, version: 1 });
  expect(await first(shelf.op.put({ id: "a", label: "A" }))).toMatchObject({ accepted: false, rejection: { reason: "taken" } });
  await rerender(two);
  expect(result.current).not.toBe(first);
  expect(await result.current(shelf.op.put({ id: "a", label: "A" }), { id: "mine" })).toMatchObject({
    accepted: true,
    commit: { id: "mine" },
  });
  expect(one.thread.version).toBe(1);
});
