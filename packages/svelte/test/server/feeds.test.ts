import { accessThread } from "@opstate/core/feeds";
import { History, Proposals, Undo } from "@opstate/svelte";
import { render } from "svelte/server";
import { expect, test } from "vitest";
import Log from "../components/log.svelte";
import OwnEdits from "../components/own-edits.svelte";
import Waiting from "../components/waiting.svelte";
import Within from "../components/within.svelte";
import { listened } from "../listened.ts";
import ReadmeLog from "../readme/log.svelte";
import { shelfContext } from "../readme/shelf-context.ts";
import { ada, openShelf } from "../shelf.ts";

async function opened() {
  const { thread, act } = await openShelf();
  await act({ type: "rename", title: "Theirs" });
  return listened(accessThread(thread, ada));
}

test("history, undo and proposals render as not loaded, without a read or a subscription", async () => {
  const { source, seen } = await opened();
  expect((await render(Log, { props: { log: new History(source) } })).body).toContain("loading");
  expect((await render(OwnEdits, { props: { edits: new Undo(source, ada) } })).body).toContain("nothing nothing");
  expect((await render(Waiting, { props: { proposals: new Proposals(source) } })).body).toContain("reading");
  expect(seen).toMatchObject({ listeners: 0, reads: 0 });
});

test("so do those of a context, on the page that the suite in the browser hydrates", async () => {
  const { source, seen } = await opened();
  const transport = { connect: () => expect.fail("a server must not connect") };
  const { body } = await render(Within, {
    props: { agentContext: shelfContext, setting: { transport, access: source, actor: ada }, part: ReadmeLog },
  });
  await expect(body).toMatchFileSnapshot("../components/log.rendered");
  expect(seen).toMatchObject({ listeners: 0, reads: 0 });
});
