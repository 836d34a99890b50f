import { History, Proposals, Undo } from "@opstate/svelte";
import { render } from "svelte/server";
import { expect, test, vi } from "vitest";
import Log from "../components/log.svelte";
import OwnEdits from "../components/own-edits.svelte";
import Waiting from "../components/waiting.svelte";
import Within from "../components/within.svelte";
import ReadmeLog from "../readme/log.svelte";
import { shelfContext } from "../readme/shelf-context.ts";
import { openPage } from "../support/shelf.ts";

async function opened() {
  const page = await openPage();
  await page.act({ type: "rename", title: "Theirs" });
  return { ...page, history: vi.spyOn(page.wired, "history") };
}

test("history, undo and proposals render as not loaded, without a read or a connection", async () => {
  const { page, history, wire } = await opened();
  expect((await render(Log, { props: { log: new History(page) } })).body).toContain("loading");
  expect((await render(OwnEdits, { props: { edits: new Undo(page) } })).body).toContain("nothing nothing");
  expect((await render(Waiting, { props: { waiting: new Proposals(page) } })).body).toContain("reading");
  expect([history.mock.calls.length, wire.asked]).toEqual([0, 0]);
});

test("so do those of a context, on the page that the suite in the browser hydrates", async () => {
  const { client, history, wire } = await opened();
  const setting = { client, threadId: "test" };
  const { body } = await render(Within, { props: { agentContext: shelfContext, setting, part: ReadmeLog } });
  await expect(body).toMatchFileSnapshot("../components/log.rendered");
  expect([history.mock.calls.length, wire.asked]).toEqual([0, 0]);
});
