// A thread of the server for code in the server's own process, and one that is opened beside it on
// the server's log.

import { createClient } from "@opstate/client";
import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { addCard, board, note } from "../support/board.ts";
import { ada, start } from "../support/server.ts";

const setup = { kind: "system", id: "setup" };
const EMPTY = { columns: [{ columnId: "todo", cards: [] }] };

describe("a thread beside a server", () => {
  it("on the server's log object is the server's: each sees the other's commits at once", async () => {
    const log = memoryLog();
    const { url, server } = await start({ log });
    const theirs = await openThread({ definition: board, log, threadId: "b" });
    await theirs.dispatch(EMPTY, { actor: setup });
    const mine = await server.thread("b");
    expect(mine.getState()).toBe(theirs.getState());
    await mine.submit(addCard("c1"), { actor: { kind: "agent", id: "planner" } });
    expect(theirs.version).toBe(2);
    const page = createClient({ url, headers: ada });
    onTestFinished(() => page.close());
    const shown = page.thread(board, "b");
    onTestFinished(shown.subscribe(() => undefined));
    await shown.ready();
    await theirs.dispatch(addCard("c2"), { actor: setup });
    await expect.poll(() => shown.getState()?.columns[0]?.cards.length).toBe(2);
  });

  it("stays open when the server is done with it", async () => {
    const log = memoryLog();
    const { server } = await start({ log });
    const thread = await server.thread("b", board);
    await server.close();
    expect(await thread.dispatch(EMPTY, { actor: setup })).toMatchObject({ accepted: true });
    await thread.close();
    await expect(server.thread("b")).rejects.toMatchObject({ code: "closed" });
  });

  it("is closed when the server deletes it", async () => {
    const { url, server } = await start();
    const thread = await server.thread("b", board);
    const reasons: unknown[] = [];
    thread.onClose((reason) => reasons.push(reason?.code));
    expect((await fetch(`${url}/threads/b`, { method: "DELETE", headers: ada })).status).toBe(204);
    await expect.poll(() => reasons).toEqual(["replaced"]);
    expect(await server.thread("b", board)).toMatchObject({ version: 0 });
  });

  it("is refused in words: unknown, of another definition, with one that the server has not", async () => {
    const { server } = await start();
    await expect(server.thread("none")).rejects.toMatchObject({ code: "unknown_thread" });
    await server.thread("b", board);
    await expect(server.thread("b", note)).rejects.toMatchObject({
      code: "definition_mismatch",
      message: expect.stringMatching(/"b" holds a "board", not a "note"/),
    });
    const { server: other } = await start({ definitions: [note] });
    await expect(other.thread("b", board)).rejects.toMatchObject({
      code: "definition_mismatch",
      message: expect.stringMatching(/no such definition "board".*note/),
    });
  });
});
