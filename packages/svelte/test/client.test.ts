// The context of a client's thread, and what is read under it.

import { createClient } from "@opstate/client";
import { memoryLog, openThread } from "@opstate/core";
import { render } from "vitest-browser-svelte";
import { expect, onTestFinished, test } from "vitest";
import Following from "./components/following.svelte";
import Within from "./components/within.svelte";
import ShortLog from "./components/short-log.svelte";
import Log from "./readme/log.svelte";
import { shelfContext } from "./readme/shelf-context.ts";
import { ada, openShelf, shelf } from "./support/shelf.ts";

async function bench() {
  const { thread, act } = await openShelf();
  const other = await openThread({ definition: shelf, log: memoryLog(), threadId: "other" });
  await other.dispatch(shelf.op.rename({ title: "Other" }), { actor: ada });
  const client = createClient({ threads: [thread, other], actor: ada });
  onTestFinished(() => client.close());
  return { thread, other, act, client };
}

test("another threadId in the same component shows that thread, and edits go to it", async () => {
  const { thread, other, client } = await bench();
  const screen = await render(Following, { setting: { client, threadId: "test" } });
  const shown = () => screen.container.querySelector("output")?.textContent;
  await expect.poll(shown).toMatch(/^Shelf online test \d$/);
  await screen.getByRole("button", { name: "Rename" }).click();
  await expect.poll(shown).toMatch(/^Shelf! online test/);
  await screen.rerender({ setting: { client, threadId: "other" } });
  await expect.poll(shown).toMatch(/^Other online other/);
  await screen.getByRole("button", { name: "Rename" }).click();
  await expect.poll(() => other.getState().title).toBe("Other!");
  expect(thread.getState().title).toBe("Shelf!");
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => other.getState().title).toBe("Other");
});

test("history, undo and proposals are those of the thread", async () => {
  const { thread, act, client } = await bench();
  const setting = { thread: client.thread(shelf, "test") };
  const screen = await render(Within, { agentContext: shelfContext, setting, part: Log });
  const lines = () => [...screen.container.querySelectorAll("li")].map((line) => line.textContent);
  const button = (name: RegExp) => screen.getByRole("button", { name });
  await setting.thread.dispatch(shelf.op.rename({ title: "Mine" }));
  await act({ type: "put", id: "b", label: "B" });
  await expect.poll(lines).toEqual(["bob: put", "ada: rename"]);
  await button(/Undo rename/).click();
  await expect.poll(() => thread.getState()).toMatchObject({ title: "Shelf", count: 1 });
  await button(/Redo rename/).click();
  await expect.poll(() => thread.getState().title).toBe("Mine");
  await thread.propose(shelf.op.rename({ title: "Proposed" }), { actor: { kind: "agent", id: "planner" } });
  await button(/Accept/).click();
  await expect.poll(() => thread.getState().title).toBe("Proposed");
});

test("a history with options is that of the thread, shared by all that show it", async () => {
  const { act, client } = await bench();
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "put", id: "b", label: "B" });
  const setting = { client, threadId: "test" };
  const screen = await render(Within, { agentContext: shelfContext, setting, part: ShortLog });
  const shown = () => screen.container.querySelector("p")?.textContent;
  const other = await render(Within, { agentContext: shelfContext, setting, part: ShortLog });
  await expect.poll(shown).toBe("1 and older");
  await screen.getByRole("button", { name: "Older" }).first().click();
  await expect.poll(shown).toBe("2 in all");
  expect(other.container.querySelector("p")?.textContent).toBe("2 in all");
});
