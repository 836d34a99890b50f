import { createClient } from "@opstate/client";
import { useAgentState, useUndo } from "@opstate/react";
import { StrictMode } from "react";
import { render, renderHook } from "vitest-browser-react";
import { expect, test } from "vitest";
import { ada, openPage, shelf } from "./support/shelf.ts";

test("undoes and redoes the person's own edits, and leaves those of others", async () => {
  const { thread, page, act } = await openPage();
  function Buttons() {
    const labels = useAgentState(page, (state) => state.boxes.map((box) => box.label)).join("");
    const { canUndo, canRedo, last, undo, redo } = useUndo(page);
    return (
      <>
        <p>{[labels, last?.operation.type].join(" ")}</p>
        <button disabled={!canUndo} onClick={() => void undo()}>
          Undo
        </button>
        <button disabled={!canRedo} onClick={() => void redo()}>
          Redo
        </button>
      </>
    );
  }
  const screen = await render(
    <StrictMode>
      <Buttons />
    </StrictMode>,
  );
  const [undo, redo] = [screen.getByRole("button", { name: "Undo" }), screen.getByRole("button", { name: "Redo" })];
  await expect.element(undo).toBeDisabled();
  await thread.dispatch({ type: "put", id: "a", label: "A" }, { actor: ada });
  await act({ type: "put", id: "b", label: "B" });
  await undo.click();
  await expect.poll(() => screen.container.textContent).toMatch(/^B Undo/);
  await expect.element(undo).toBeDisabled();
  await redo.click();
  await expect.poll(() => screen.container.textContent).toMatch(/^AB put/);
});

test("an edit can be undone as soon as it is visible", async () => {
  const { page, gate } = await openPage();
  const { result } = await renderHook(() => useUndo(page));
  gate.hold = true;
  void page.dispatch(shelf.op.rename({ title: "Mine" }), { id: "mine" });
  await expect.poll(() => result.current).toMatchObject({ canUndo: true, last: { id: "mine" } });
  const undone = result.current.undo();
  gate.release();
  expect(await undone).toMatchObject({ accepted: true });
  expect(page.getState().title).toBe("Shelf");
});

test("keeps its value while nothing changes, and components share it", async () => {
  const { page } = await openPage();
  const { result, rerender } = await renderHook(() => [useUndo(page), useUndo(page)] as const);
  const [own] = result.current;
  await rerender();
  expect(result.current[0]).toBe(own);
  expect(result.current[1].redo).toBe(own.redo);
});

test("says what a call threw, until the next one", async () => {
  const { wired } = await openPage();
  const lost = new Error("The connection was lost");
  let isLost = false;
  const failing: typeof wired = Object.assign(Object.create(wired) as typeof wired, {
    undo: async (...given: Parameters<typeof wired.undo>) => {
      if (isLost) throw lost;
      return wired.undo(...given);
    },
  });
  const page = createClient({ threads: [failing], actor: ada }).thread(shelf, "test");
  const { result } = await renderHook(() => useUndo(page));
  await page.dispatch(shelf.op.rename({ title: "Mine" }));
  await expect.poll(() => result.current.canUndo).toBe(true);
  isLost = true;
  await expect(result.current.undo()).rejects.toBe(lost);
  // As a button does, that waits for nothing: were it unhandled, the run would fail.
  void result.current.undo();
  await expect.poll(() => result.current.error).toBe(lost);
  isLost = false;
  expect(await result.current.undo()).toMatchObject({ accepted: true });
  await expect.poll(() => result.current.error).toBeUndefined();
});
