import { accessThread, createUndoStack } from "@opstate/core/feeds";
import { useAgentState, useUndo } from "@opstate/react";
import { StrictMode } from "react";
import { render, renderHook } from "vitest-browser-react";
import { expect, test } from "vitest";
import { ada, openReplica, openShelf, shelf } from "./shelf.ts";

test("undoes and redoes the person's own edits, and leaves those of others", async () => {
  const { thread, act } = await openShelf();
  const access = accessThread(thread, ada);
  function Buttons() {
    const labels = useAgentState(thread, (state) => state.boxes.map((box) => box.label)).join("");
    // The actor is written here: a new object on each render.
    const { canUndo, canRedo, last, undo, redo } = useUndo(access, { kind: "user", id: "ada" });
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

test("with a replica, an edit can be undone as soon as it is visible", async () => {
  const { thread, replica, gate } = await openReplica();
  const source = { ...accessThread(thread, ada), ...replica };
  const { result } = await renderHook(() => useUndo(source, ada));
  gate.hold = true;
  void replica.dispatch(shelf.op.rename({ title: "Mine" }), { id: "mine" });
  await expect.poll(() => result.current).toMatchObject({ canUndo: true, last: { id: "mine" } });
  const undone = result.current.undo();
  gate.release();
  expect(await undone).toMatchObject({ accepted: true });
  expect(replica.getState().title).toBe("Shelf");
});

test("keeps its value while nothing changes, and accepts a shared stack", async () => {
  const { thread } = await openShelf();
  const access = accessThread(thread, ada);
  const stack = createUndoStack(access, ada);
  const { result, rerender } = await renderHook(() => [useUndo(access, { ...ada }), useUndo(stack)] as const);
  const [own, shared] = result.current;
  await rerender();
  expect(result.current[0]).toBe(own);
  expect(result.current[1]).toBe(shared);
  expect(shared.undo).toBe(stack.undo);
});
