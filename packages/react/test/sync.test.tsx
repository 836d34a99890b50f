import { useSync } from "@opstate/react";
import { expect, test } from "vitest";
import { renderHook } from "vitest-browser-react";
import { openPage, shelf } from "./support/shelf.ts";

test("shows what is pending, confirmed and refused", async () => {
  const { page, gate, act } = await openPage();
  const { result, act: inReact } = await renderHook(() => useSync(page));
  expect(result.current).toMatchObject({ status: "online", version: 0, pending: [], rejections: [] });
  const [rename, put] = [shelf.op.rename({ title: "Books" }), shelf.op.put({ id: "a", label: "mine" })];
  gate.hold = true;
  let verdicts!: Promise<unknown>;
  await inReact(() => ((verdicts = Promise.all([page.dispatch(rename), page.dispatch(put)])), undefined));
  expect(result.current.pending.map(({ operation }) => operation)).toEqual([rename, put]);
  await inReact(async () => {
    await act({ type: "put", id: "a", label: "theirs" });
    gate.release();
    await verdicts;
  });
  await expect.poll(() => result.current).toMatchObject({ version: 2, pending: [], rejections: [{ operation: put }] });
});

test("renders only for its slice", async () => {
  const { page, act } = await openPage();
  let renders = 0;
  const { result } = await renderHook(() => {
    renders += 1;
    return useSync(page, (sync) => sync.pending.length);
  });
  const before = renders;
  await act({ type: "rename", title: "Of another" });
  expect(page.sync.getState().version).toBe(1);
  expect(result.current).toBe(0);
  expect(renders).toBe(before);
});
