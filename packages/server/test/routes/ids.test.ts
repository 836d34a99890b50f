// Ids with half of a surrogate pair, on every route that takes an id: refused with words, nothing
// stored, never the verdict of another id.

import { sqliteLog } from "../../src/sqlite/index.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpTransport, threadClient } from "../../src/client/index.ts";
import type { ServedAgent } from "../../src/index.ts";
import { addCard } from "../support/board.ts";
import { ada, createBoard, send, start } from "../support/server.ts";

const half = "a\ud83d";
const silent: ServedAgent = { definition: "board", async *run() {} };

async function serve() {
  const log = sqliteLog({ path: ":memory:" });
  const { url, errors } = await start({ log, agents: { silent } });
  onTestFinished(() => log.close());
  return { log, url, errors, board: await createBoard(url) };
}

const runInput = (ids: object) => ({
  threadId: "launch",
  runId: "r",
  messages: [],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
  ...ids,
});

describe("an id with half of a surrogate pair", () => {
  it.each<[string, string, string, object, string]>([
    ["a submission's id", "POST", "/operations", { id: half, operation: addCard("c") }, "invalid_body"],
    ["a run's id", "POST", "/operations", { runId: half, operation: addCard("c") }, "invalid_body"],
    ["a tool call's id", "POST", "/operations", { toolCallId: half, operation: addCard("c") }, "invalid_body"],
    [
      "one of a list",
      "POST",
      "/operations",
      [{ operation: addCard("c") }, { id: half, operation: addCard("d") }],
      "invalid_body",
    ],
    ["a proposal's id", "POST", "/proposals", { id: half, operation: addCard("c") }, "invalid_body"],
    ["a decision's id", "POST", "/proposals/p/approve", { id: half }, "invalid_body"],
    ["an undo's id", "POST", "/undo", { id: half, target: { ids: ["c"] } }, "invalid_body"],
    ["an undone run", "POST", "/undo", { target: { runId: half } }, "invalid_id"],
    ["an undone actor", "POST", "/undo", { target: { actor: { kind: "user", id: half } } }, "invalid_id"],
    ["a branch's name", "POST", "/branches", { name: half }, "invalid_id"],
  ])("is refused: %s", async (_what, method, path, body, code) => {
    const { log, errors, board } = await serve();
    expect(await send(board + path, method, body)).toMatchObject({
      status: 400,
      body: { code, detail: expect.stringMatching(/surrogate pair/) },
    });
    expect([errors, await log.read("launch", {}), (await log.list()).length]).toEqual([[], [], 1]);
  });

  it.each([{ threadId: half }, { runId: half }])("is refused by an agent: %o", async (ids) => {
    const { url, errors } = await serve();
    const answer = await send(`${url}/ag-ui/silent`, "POST", runInput(ids));
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "invalid_id", detail: expect.stringMatching(/surrogate pair/) },
    });
    expect(errors).toEqual([]);
  });

  it("finds no commits to undo", async () => {
    const { errors, board } = await serve();
    expect((await send(`${board}/undo`, "POST", { target: { ids: [half] } })).status).toBeLessThan(500);
    expect(errors).toEqual([]);
  });

  it("does not get the verdict of another id", async () => {
    const { board } = await serve();
    const submit = (id: string) =>
      send(`${board}/operations`, "POST", { id, operation: addCard(`card of ${JSON.stringify(id)}`) });
    expect(await submit("a\ufffd")).toMatchObject({ status: 200, body: { version: 1 } });
    for (const id of ["a\ud83d", "a\ud83e"]) expect((await submit(id)).status).toBe(400);
    expect((await send(board, "GET")).body.version).toBe(1);
  });

  it("is rejected by the client before a request", async () => {
    const { url } = await serve();
    const gone = /half of a surrogate pair/;
    expect(() => threadClient({ url, threadId: half })).toThrow(gone);
    expect(() =>
      httpTransport({ url, threadId: half }).connect({ after: undefined, onMessage() {}, onStatus() {} }),
    ).toThrow(gone);
    const client = threadClient({ url, threadId: "launch", headers: ada });
    await expect(client.approve(half)).rejects.toThrow(gone);
    await expect(client.decline(half)).rejects.toThrow(gone);
    expect(() => client.openBranch(half)).toThrow(gone);
  });
});
