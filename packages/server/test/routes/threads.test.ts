// Threads over HTTP: create, read, list, delete, history; operations and their verdicts.

import { memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { addCard, board } from "../support/board.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

describe("threads", () => {
  it("are created with a definition, once", async () => {
    const { url } = await start();
    expect(await send(`${url}/threads/launch`, "PUT", { definition: "board" })).toMatchObject({
      status: 201,
      body: { threadId: "launch", definition: "board", version: 0 },
    });
    expect(await send(`${url}/threads/launch`, "PUT", { definition: "board" })).toMatchObject({ status: 200 });
    expect(await send(`${url}/threads/launch`, "PUT", { definition: "note" })).toMatchObject({
      status: 409,
      body: { code: "definition_differs" },
    });
    expect(await send(`${url}/threads/other`, "PUT", { definition: "bord" })).toMatchObject({
      status: 422,
      body: { code: "unknown_definition", detail: 'This server has no definition "bord". It has: board, note.' },
    });
    expect(await send(`${url}/threads/launch`, "GET")).toMatchObject({
      status: 200,
      body: { version: 0, state: board.initial, definition: "board" },
    });
  });

  it("answer 404 until they exist", async () => {
    const { url } = await start();
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["GET", "/history", undefined],
      ["GET", "/events", undefined],
      ["POST", "/operations", addCard("c1")],
      ["DELETE", "", undefined],
    ] as const) {
      expect(await send(`${url}/threads/nothing${path}`, method, body)).toMatchObject({
        status: 404,
        type: "application/problem+json",
        body: { code: "unknown_thread", status: 404 },
      });
    }
  });

  it("are listed for those who may read them", async () => {
    const { url } = await start({
      authorize: (request) => ({
        actor: { kind: "user", id: "x" },
        allows: (id) => id.startsWith(request.headers.get("x-team") ?? ""),
      }),
    });
    for (const id of ["red-1", "red-2", "blue-1"])
      await send(`${url}/threads/${id}`, "PUT", { definition: "board" }, {});
    const { body } = await send(`${url}/threads`, "GET", undefined, { "x-team": "red" });
    expect(body).toEqual(
      ["red-1", "red-2"].map((threadId) => ({
        threadId,
        definition: "board",
        version: 0,
        floor: 0,
        createdAt: expect.any(String),
        incarnation: expect.any(String),
      })),
    );
  });

  it("are deleted with all they had", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    await send(`${thread}/operations`, "POST", addCard("c1"));
    expect(await send(thread, "DELETE")).toMatchObject({ status: 204 });
    expect(await send(thread, "GET")).toMatchObject({ status: 404 });
    await createBoard(url);
    expect(await send(thread, "GET")).toMatchObject({ body: { version: 0, state: board.initial } });
  });

  it("are one Thread for all requests that open them at the same time", async () => {
    const log = memoryLog();
    let loads = 0;
    const counting = { ...log, load: (threadId: string) => ((loads += 1), log.load(threadId)) };
    const { url } = await start({ log: counting });
    const puts = await Promise.all(
      Array.from({ length: 8 }, () => send(`${url}/threads/launch`, "PUT", { definition: "board" })),
    );
    expect(puts.every(({ status }) => status < 300)).toBe(true);
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(`${url}/threads/launch/operations`, "POST", addCard(`c${index}`))),
    );
    // The two lookups before the creation, and the lookup of what was created.
    expect(loads).toBeLessThanOrEqual(3);
    expect(verdicts.map(({ body }) => body.version).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it("with a definition that is not served are a failure, which is reported to the owner of the server", async () => {
    const log = memoryLog();
    await log.create({ threadId: "old", definition: "recipes", definitionVersion: 1, state: {}, at: "" });
    const { url, errors } = await start({ log });
    expect(await send(`${url}/threads/old`, "GET")).toMatchObject({ status: 500, body: { code: "failure" } });
    expect(String(errors[0])).toContain('Thread "old" holds a "recipes"');
  });

  it("keep their state when the server starts again on the same file", async () => {
    const log = sqliteLog({ path: ":memory:" });
    const first = await start({ log });
    const thread = await createBoard(first.url);
    await send(`${thread}/operations`, "POST", { id: "s1", operation: addCard("c1") });
    await first.server.close();
    const second = await start({ log });
    const again = await send(`${second.url}/threads/launch`, "GET");
    expect(again.body.state.columns[0]).toEqual({
      columnId: "todo",
      cardCount: 1,
      cards: [{ cardId: "c1", title: "Card c1" }],
    });
    expect(
      await send(`${second.url}/threads/launch/operations`, "POST", { id: "s1", operation: addCard("c1") }),
    ).toMatchObject({
      status: 200,
      body: { version: 1 },
    });
  });
});

describe("operations", () => {
  it("are accepted without an envelope, so that a webhook is one line of curl", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    const { status, body } = await send(`${thread}/operations`, "POST", {
      type: "addCard",
      columnId: "todo",
      cardId: "c1",
      title: "From a webhook",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      accepted: true,
      version: 1,
      commit: { version: 1, operation: { type: "addCard" }, actor: { kind: "user", id: "ada" } },
    });
  });

  it("are accepted as submissions, with an id that has one effect", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    const submission = { id: "s1", operation: addCard("c1"), runId: "r1", toolCallId: "t1", expectedVersion: 0 };
    const first = await send(`${thread}/operations`, "POST", submission);
    expect(first.body.commit).toMatchObject({ id: "s1", runId: "r1", toolCallId: "t1" });
    expect(await send(`${thread}/operations`, "POST", submission)).toEqual(first);
    expect((await send(thread, "GET")).body.version).toBe(1);
  });

  it("answer refusals as problem documents that carry the verdict", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    const cases = [
      [addCard("c1", "x", "nowhere"), 422, "refused"],
      [{ type: "addCard", columnId: "todo" }, 422, "invalid_operation"],
      [{ type: "fly" }, 422, "unknown_operation"],
      [addCard("c1", "x".repeat(300)), 422, "invalid_state"],
      [{ type: "clear", columnId: "todo" }, 403, "forbidden"],
      [{ operation: addCard("c1"), expectedVersion: 7 }, 409, "conflict"],
    ] as const;
    for (const [body, status, code] of cases) {
      const answer = await send(`${thread}/operations`, "POST", body);
      expect(answer).toMatchObject({ status, type: "application/problem+json" });
      expect(answer.body).toMatchObject({
        type: expect.stringContaining(`#${code}`),
        title: expect.any(String),
        status,
        detail: answer.body.rejection.message,
        code,
        accepted: false,
        version: 0,
        rejection: { code },
        attempt: 1,
      });
    }
    expect((await send(`${thread}/operations`, "POST", cases[0][0])).body).toMatchObject({
      attempt: 2,
      rejection: { reason: "column_not_found", details: { available: ["todo", "done"] } },
    });
  });

  it("are accepted as a list, in order, each with its verdict", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    const list = [
      { id: "a", operation: addCard("c1") },
      addCard("c2", "x", "nowhere"),
      { id: "b", operation: { type: "rename", cardId: "c1", title: "Renamed" } },
    ];
    const { status, body } = await send(`${thread}/operations`, "POST", list);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { accepted: true, version: 1 },
      { accepted: false, version: 1, rejection: { reason: "column_not_found" } },
      { accepted: true, version: 2 },
    ]);
  });

  it("may be a replacement inside a submission, under the rule of the definition", async () => {
    const { url } = await start({
      authorize: (request) => ({
        actor: { kind: request.headers.get("x-kind") ?? "user", id: "x" },
        allows: () => true,
      }),
    });
    const thread = `${url}/threads/launch`;
    await send(thread, "PUT", { definition: "board" }, {});
    const operation = { columns: [{ columnId: "only", cards: [] }] };
    expect(await send(`${thread}/operations`, "POST", { operation }, {})).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
    expect(await send(`${thread}/operations`, "POST", { operation }, { "x-kind": "agent" })).toMatchObject({
      status: 200,
    });
    expect((await send(thread, "GET", undefined, {})).body.state).toEqual({
      columns: [{ columnId: "only", cardCount: 0, cards: [] }],
    });
  });
});

describe("history", () => {
  it("pages through commits, and shows refusals on request", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    for (const id of ["c1", "c2", "c3"]) await send(`${thread}/operations`, "POST", addCard(id));
    await send(`${thread}/operations`, "POST", { id: "bad", operation: { type: "fly" } }, asUser("bob", "write"));
    const versions = async (query: string) =>
      (await send(`${thread}/history${query}`, "GET")).body.map(
        (entry: any) => entry.commit?.version ?? entry.refusal.id,
      );
    expect(await versions("")).toEqual([1, 2, 3]);
    expect(await versions("?after=1&limit=1")).toEqual([2]);
    expect(await versions("?after=2&rejections=true")).toEqual([3, "bad"]);
    const { body } = await send(`${thread}/history?after=3&rejections=true`, "GET");
    expect(body).toMatchObject([
      { kind: "refusal", refusal: { actor: { kind: "user", id: "bob" }, rejection: { code: "unknown_operation" } } },
    ]);
    expect(await send(`${thread}/history?after=x`, "GET")).toMatchObject({
      status: 400,
      body: { code: "invalid_query" },
    });
  });

  it("survives a restart of the server, refusals included", async () => {
    const log = memoryLog();
    const first = await start({ log });
    const thread = await createBoard(first.url);
    await send(`${thread}/operations`, "POST", { type: "fly" }, ada);
    const before = await send(`${thread}/history?rejections=true`, "GET");
    await first.server.close();
    const second = await start({ log });
    expect(await send(`${second.url}/threads/launch/history?rejections=true`, "GET")).toEqual(before);
  });
});
