import type { UpdateOf } from "@opstate/core";
import { createClient } from "@opstate/client";
import { Undo } from "@opstate/svelte";
import { flushSync } from "svelte";
import { render } from "vitest-browser-svelte";
import { expect, test } from "vitest";
import OwnEdits from "./components/own-edits.svelte";
import { ada, openPage, shelf } from "./support/shelf.ts";
import { watch } from "./support/watch.svelte.ts";

async function opened() {
  const page = await openPage();
  const mine = (update: UpdateOf<typeof shelf>) => page.thread.dispatch(update, { actor: ada });
  const labels = () =>
    page.thread
      .getState()
      .boxes.map(({ label }) => label)
      .join(" ");
  return { ...page, mine, labels };
}

async function shown(edits: Undo) {
  const screen = await render(OwnEdits, { edits });
  const button = (name: string) => screen.getByRole("button", { name });
  return {
    screen,
    undo: button("Undo"),
    redo: button("Redo"),
    anyway: button("Anyway"),
    steps: screen.getByRole("status"),
  };
}

test("undoes and redoes the person's own edits, and leaves those of others", async () => {
  const { page, act, mine, labels } = await opened();
  const { undo, redo, steps } = await shown(new Undo(page));
  await expect.element(undo).toBeDisabled();
  await mine({ type: "put", id: "a", label: "A" });
  await act({ type: "put", id: "b", label: "B" });
  await mine({ type: "label", id: "a", label: "A2" });
  await expect.element(steps).toHaveTextContent("label nothing");
  await undo.click();
  await expect.poll(labels).toBe("A B");
  await expect.element(steps).toHaveTextContent("put label");
  await undo.click();
  await expect.poll(labels).toBe("B");
  await expect.element(undo).toBeDisabled();
  await redo.click();
  await redo.click();
  await expect.poll(labels).toBe("A2 B");
  await expect.element(redo).toBeDisabled();
  await expect.element(steps).toHaveTextContent("label nothing");
});

test("is refused while a later edit depends on it, and can undo both", async () => {
  const { page, act, mine, labels } = await opened();
  await mine({ type: "put", id: "a", label: "A" });
  await act({ type: "label", id: "a", label: "Bob's" });
  const { screen, undo, redo, anyway } = await shown(new Undo(page));
  await expect.element(undo).toBeEnabled();
  await undo.click();
  await expect.element(screen.getByText(/without what is taken back/)).toBeVisible();
  expect(labels()).toBe("Bob's");
  await anyway.click();
  await expect.poll(labels).toBe("");
  await expect.poll(() => screen.container.querySelector("p")?.textContent).toBe("");
  await expect.element(redo).toBeEnabled();
});

test("an edit can be undone as soon as it is visible", async () => {
  const { page, gate } = await opened();
  const edits = new Undo(page);
  const { seen } = watch(() => edits.last?.id);
  gate.hold = true;
  void page.dispatch(shelf.op.rename({ title: "Mine" }), { id: "mine" });
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe("mine");
  const undone = edits.undo();
  await expect.poll(() => edits.busy).toBe(true);
  gate.release();
  expect(await undone).toMatchObject({ accepted: true });
  expect([page.getState().title, edits.busy, edits.canRedo]).toEqual(["Shelf", false, true]);
});

async function withoutReader() {
  const { page, mine, thread, wire } = await opened();
  const edits = new Undo(page);
  await mine({ type: "rename", title: "Mine" });
  return { thread, wire, edits };
}

test("reads nothing without a reader, and undoes all the same", async () => {
  const { thread, wire, edits } = await withoutReader();
  expect([edits.canUndo, edits.canRedo, edits.busy, edits.last, edits.next]).toEqual([
    false,
    false,
    false,
    undefined,
    undefined,
  ]);
  expect(wire.asked).toBe(0);
  const { undo } = edits;
  expect(await undo()).toMatchObject({ accepted: true });
  expect(thread.getState().title).toBe("Shelf");
});

test("is connected while a component shows it", async () => {
  const { wire, edits } = await withoutReader();
  await edits.undo();
  const { screen, redo } = await shown(edits);
  await expect.element(redo).toBeEnabled();
  expect(wire.open).toBe(1);
  await screen.unmount();
  await expect.poll(() => wire.open).toBe(0);
});

test("says what a call threw, until the next one", async () => {
  const { wired } = await opened();
  const lost = new Error("The connection was lost");
  let isLost = false;
  const failing: typeof wired = Object.assign(Object.create(wired) as typeof wired, {
    undo: async (...given: Parameters<typeof wired.undo>) => {
      if (isLost) throw lost;
      return wired.undo(...given);
    },
  });
  const page = createClient({ threads: [failing], actor: ada }).thread(shelf, "test");
  const edits = new Undo(page);
  const { seen } = watch(() => edits.error);
  await page.dispatch(shelf.op.rename({ title: "Mine" }));
  await expect.poll(() => edits.canUndo).toBe(true);
  isLost = true;
  await expect(edits.undo()).rejects.toBe(lost);
  // As a button does, that waits for nothing: were it unhandled, the run would fail.
  void edits.undo();
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe(lost);
  isLost = false;
  expect(await edits.undo()).toMatchObject({ accepted: true });
  await expect.poll(() => (flushSync(), seen.at(-1))).toBeUndefined();
});
