import type { UpdateOf } from "@opstate/core";
import { accessThread } from "@opstate/core/feeds";
import { AgentState, Undo } from "@opstate/svelte";
import { flushSync } from "svelte";
import { render } from "vitest-browser-svelte";
import { expect, test } from "vitest";
import OwnEdits from "./components/own-edits.svelte";
import { listened } from "./listened.ts";
import { ada, openReplica, openShelf, shelf } from "./shelf.ts";
import { watch } from "./watch.svelte.ts";

const bob = { kind: "user", id: "bob" };

async function opened() {
  const { thread, act } = await openShelf();
  const mine = (update: UpdateOf<typeof shelf>) => thread.dispatch(update, { actor: ada });
  const labels = () =>
    thread
      .getState()
      .boxes.map(({ label }) => label)
      .join(" ");
  return { thread, act, mine, labels, access: accessThread(thread, ada) };
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
  const { access, act, mine, labels } = await opened();
  const { undo, redo, steps } = await shown(new Undo(access, ada));
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
  const { access, act, mine, labels } = await opened();
  await mine({ type: "put", id: "a", label: "A" });
  await act({ type: "label", id: "a", label: "Bob's" });
  const { screen, undo, redo, anyway } = await shown(new Undo(access, ada));
  await expect.element(undo).toBeEnabled();
  await undo.click();
  await expect.element(screen.getByText(/without what is taken back/)).toBeVisible();
  expect(labels()).toBe("Bob's");
  await anyway.click();
  await expect.poll(labels).toBe("");
  await expect.poll(() => screen.container.querySelector("p")?.textContent).toBe("");
  await expect.element(redo).toBeEnabled();
});

test("with a replica, an edit can be undone as soon as it is visible", async () => {
  const { thread, replica, gate } = await openReplica();
  const board = new AgentState({ ...accessThread(thread, ada), ...replica });
  const { seen } = watch(() => board.undo.last?.id);
  gate.hold = true;
  void board.dispatch(shelf.op.rename({ title: "Mine" }), { id: "mine" });
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe("mine");
  const undone = board.undo.undo();
  expect(board.undo.busy).toBe(true);
  gate.release();
  expect(await undone).toMatchObject({ accepted: true });
  expect([board.current.title, board.undo.busy, board.undo.canRedo]).toEqual(["Shelf", false, true]);
});

test("undoes the edits of an actor, or those that a function selects", async () => {
  const { access, act, mine } = await opened();
  await mine({ type: "rename", title: "Ada's" });
  const first = await act({ type: "put", id: "b", label: "B" });
  const bobs = watch(() => new Undo(access, bob));
  const picked = new Undo(access, ({ operation }) => operation.type === "put");
  const none = new Undo(access, { kind: "agent", id: "nobody" });
  const { seen } = watch(() => [
    bobs.seen[0]?.last?.operation.type,
    picked.last?.operation.type,
    none.last?.operation.type,
  ]);
  expect(first.accepted).toBe(true);
  await expect.poll(() => (flushSync(), seen.at(-1))).toEqual(["put", "put", undefined]);
});

async function withoutReader() {
  const { access, mine, thread } = await opened();
  const { source, seen } = listened(access);
  const edits = new AgentState({ ...thread, ...source }).undo;
  await mine({ type: "rename", title: "Mine" });
  return { thread, seen, edits };
}

test("reads nothing without a reader, and undoes all the same", async () => {
  const { thread, seen, edits } = await withoutReader();
  expect([edits.canUndo, edits.canRedo, edits.busy, edits.last, edits.next]).toEqual([
    false,
    false,
    false,
    undefined,
    undefined,
  ]);
  expect(seen).toMatchObject({ listeners: 0, reads: 0 });
  const { undo } = edits;
  expect(await undo()).toMatchObject({ accepted: true });
  expect(thread.getState().title).toBe("Shelf");
});

test("listens while a component shows it", async () => {
  const { seen, edits } = await withoutReader();
  await edits.undo();
  const { screen, redo } = await shown(edits);
  await expect.element(redo).toBeEnabled();
  expect(seen.listeners).toBe(1);
  await screen.unmount();
  await expect.poll(() => seen.listeners).toBe(0);
});

test("is undefined for a thread alone, which knows no actor", async () => {
  expect(new AgentState((await openShelf()).thread).undo).toBeUndefined();
});
