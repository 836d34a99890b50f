// What a view of a thread is made of, without a browser.

import { expect, it } from "vitest";
import { ada, board } from "../support/board.ts";
import { call, connect, start } from "../support/mcp.ts";

async function launch() {
  const { url, server } = await start({
    endpoint: { views: { page: (id) => `/boards/${id}`, html: { note: "<!doctype html>A note" } } },
  });
  return { url, thread: await server.thread("launch", board), client: await connect(url) };
}

it("a view is a page in one file, the generic one or the application's own", async () => {
  const { client } = await launch();
  const read = async (name: string) => (await client.readResource({ uri: `ui://opstate/${name}` })).contents[0];
  expect(await read("note")).toMatchObject({
    mimeType: "text/html;profile=mcp-app",
    text: "<!doctype html>A note",
  });
  const generic = await read("board");
  const text = generic !== undefined && "text" in generic ? generic.text : "";
  expect(text).toContain("opstate_look");
  expect(text).not.toMatch(/(?:src|href)=|import /);
});

it("a view reads the thread without taking news from the model, and nothing while it has not changed", async () => {
  const { url, client, thread } = await launch();
  await call(client, "board_read");
  await thread.dispatch(board.op.add({ id: "T-1", title: "Invoices" }), { actor: ada });
  const { data } = await call(client, "opstate_look");
  expect(data).toMatchObject({ version: 1, state: thread.getState(), commits: [{ by: "user ada" }] });
  expect(data.page).toBe(`${url}/boards/launch`);
  expect(data.operations.map(({ type }: { type: string }) => type)).toEqual(["add", "rename", "clear"]);
  expect((await call(client, "opstate_look", { known: 1 })).data).toEqual({ threadId: "launch", version: 1 });
  expect((await call(client, "opstate_changes")).data.changesByOthers).toContain("Invoices");
});

it("what is done in a view is the view's, waits for a person as the model's would, and is news to the model", async () => {
  const { client, thread } = await launch();
  const act = (operation: object) => call(client, "opstate_act", { operation, basedOn: thread.version });
  expect((await act({ type: "add", id: "T-1", title: "Invoices" })).data.status).toBe("accepted");
  expect((await act({ type: "clear" })).data.status).toBe("proposed");
  expect((await act({ type: "audit" })).data).toMatchObject({ status: "refused" });
  const { data } = await call(client, "board_read");
  expect(data.changesByOthers).toContain('agent "claude/view": "Add T-1: Invoices"');
});

it("there are no tools of views where the operator wants none", async () => {
  const { url } = await start();
  const names = (await (await connect(url)).listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => /view|look|act$/.test(name))).toEqual([]);
});
