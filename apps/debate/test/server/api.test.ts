// The API of the debate, as a client sees it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AGUIEvent } from "@ag-ui/core";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { chatReducer, initialChatState, verifyEvents } from "@opstate/ag-ui";
import { Hono } from "hono";
import { afterAll, describe, expect, test, vi } from "vitest";
import { appOn, clientOf, eventsIn, offline } from "../support/client.ts";

const folder = mkdtempSync(join(tmpdir(), "debate-api-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fold = (events: readonly AGUIEvent[]) => [...verifyEvents(events)].reduce(chatReducer, initialChatState());
const types = (events: readonly AGUIEvent[]): readonly string[] => events.map(({ type }) => type);
const question = (events: readonly AGUIEvent[]) => {
  const last = events.at(-1);
  return last?.type === "RUN_FINISHED" && last.outcome?.type === "interrupt" ? last.outcome.interrupts[0] : undefined;
};

describe("POST /api/debate", () => {
  test.each<[string, unknown, readonly [pointer: string, detail: RegExp][]]>([
    ["no topic", { maxRounds: 3 }, [["/topic", /missing/]]],
    ["an empty topic", { topic: "" }, [["/topic", /empty/]]],
    ["a topic of spaces", { topic: " \n\t " }, [["/topic", /empty/]]],
    ["a topic that is a number", { topic: 7 }, [["/topic", /text/]]],
    ["a topic of 301 characters", { topic: "x".repeat(301) }, [["/topic", /at most 300/]]],
    ["no rounds", { topic: "Zoos", maxRounds: 0 }, [["/maxRounds", /from 1 to 10/]]],
    ["eleven rounds", { topic: "Zoos", maxRounds: 11 }, [["/maxRounds", /from 1 to 10/]]],
    ["half a round", { topic: "Zoos", maxRounds: 1.5 }, [["/maxRounds", /from 1 to 10/]]],
    ["rounds as a text", { topic: "Zoos", maxRounds: "3" }, [["/maxRounds", /from 1 to 10/]]],
    ["rounds of null", { topic: "Zoos", maxRounds: null }, [["/maxRounds", /from 1 to 10/]]],
    ["an unknown member", { topic: "Zoos", model: "x" }, [["/model", /not allowed/]]],
    ["an id that is a path", { topic: "Zoos", id: "../../etc" }, [["/id", /letters/]]],
    ["a list", ["Zoos"], [["", /object/]]],
    ["null", null, [["", /object/]]],
    ["a text", '"Zoos"', [["", /object/]]],
    [
      "everything wrong at once",
      { topic: " ", maxRounds: 99, a: 1, b: 2 },
      [
        ["/topic", /empty/],
        ["/maxRounds", /from 1 to 10/],
        ["/a", /not allowed/],
        ["/b", /not allowed/],
      ],
    ],
  ])("refuses %s, and names every fault", async (_, body, faults) => {
    const { post } = clientOf(appOn());
    const response = await post("/api/debate", body);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const problem = await response.json();
    expect(problem).toMatchObject({
      status: 400,
      code: "invalid_body",
      title: expect.any(String),
      detail: expect.any(String),
    });
    expect(problem.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      faults.map(([pointer]) => pointer),
    );
    for (const [index, [, detail]] of faults.entries()) expect(problem.errors[index].detail).toMatch(detail);
  });

  test.each<[string, string, Record<string, string>, number, string]>([
    ["no JSON", "{nope", {}, 400, "not_json"],
    ["nothing", "", {}, 400, "not_json"],
    ["a form", "topic=Zoos", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
    ["too much", JSON.stringify({ topic: "x".repeat(20_000) }), {}, 413, "body_too_large"],
    ["deep nesting", "[".repeat(5000) + "]".repeat(5000), {}, 400, "invalid_body"],
  ])("refuses %s", async (_, body, headers, status, code) => {
    const response = await clientOf(appOn()).post("/api/debate", body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, code });
  });

  describe("is a stream", () => {
    async function streamed() {
      const { run } = clientOf(appOn());
      const events = await run("/api/debate", { topic: "  Remote work ", maxRounds: 1, id: "debate-1" });
      return { events, chat: fold(events) };
    }

    test("that any AG-UI client can fold, with nothing to complain about", async () => {
      const { chat } = await streamed();
      expect(chat).toMatchObject({
        phase: "idle",
        conflicts: [],
        warnings: [],
        run: { threadId: "debate-1", outcome: "success" },
      });
      expect(chat.state).toMatchObject({ topic: "Remote work", maxRounds: 1, round: 1, status: "completed" });
    });

    test("of every speaker's message and step", async () => {
      const { chat } = await streamed();
      expect(chat.messages.map((message) => [message.id, message.status])).toEqual([
        ["1-optimist", "complete"],
        ["1-skeptic", "complete"],
        ["1-moderator", "complete"],
      ]);
      expect(chat.steps.map(({ name, status }) => [name, status])).toEqual([
        ["optimist", "finished"],
        ["skeptic", "finished"],
        ["fact check", "finished"],
        ["moderator", "finished"],
      ]);
      expect(chat.usage[0]?.outputTokens).toBeGreaterThan(50);
    });

    test("of single words, and of the changes of the state", async () => {
      const { events } = await streamed();
      expect(types(events).filter((type) => type === "TEXT_MESSAGE_CONTENT").length).toBeGreaterThan(100);
      expect(types(events).filter((type) => type === "STATE_DELTA").length).toBe(5);
    });
  });

  test("the state shows the round before anyone has finished speaking", async () => {
    const events = await clientOf(appOn()).run("/api/debate", { topic: "Zoos", maxRounds: 1 });
    const early = events.slice(0, types(events).indexOf("TEXT_MESSAGE_END"));
    expect(fold([...early]).state).toMatchObject({ round: 1, turns: [] });
  });

  test("an id is used once", async () => {
    const { run, post } = clientOf(appOn());
    await run("/api/debate", { topic: "Zoos", maxRounds: 1, id: "same-id-1" });
    const again = await post("/api/debate", { topic: "Cars", maxRounds: 1, id: "same-id-1" });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ code: "id_taken" });
  });

  test("a topic made of markup is a text like any other", async () => {
    const topic = "<img src=x onerror=alert(1)>";
    const { run, get } = clientOf(appOn());
    await run("/api/debate", { topic, maxRounds: 1, id: "markup-1" });
    expect(await get("markup-1")).toMatchObject({ state: { topic }, phase: "completed" });
  });
});

describe("POST /api/debate/:id/resume", () => {
  async function waiting(maxRounds = 2) {
    const client = clientOf(appOn());
    const events = await client.run("/api/debate", { topic: "Zoos", maxRounds, id: "debate-2" });
    return {
      ...client,
      id: question(events)?.id ?? "",
      resume: (body: unknown) => client.run("/api/debate/debate-2/resume", body),
    };
  }

  test("goes on, and the client's copy is whole without the first stream", async () => {
    const { id, resume, get } = await waiting();
    expect(await get("debate-2")).toMatchObject({
      phase: "waiting",
      interrupts: [{ id, message: "Round 2 of 2 is ready." }],
    });
    const events = await resume({ decision: "continue", interruptId: id });
    const chat = fold(events);
    expect(chat).toMatchObject({ phase: "idle", conflicts: [], state: { status: "completed", round: 2 } });
    expect(chat.messages).toHaveLength(6);
    const debate = await get("debate-2");
    expect(debate.phase).toBe("completed");
    expect(chat.state).toEqual(debate.state);
    expect(chat.messages.map((message) => [message.id, "content" in message && message.content])).toEqual(
      debate.messages.map((message) => [message.id, message.content]),
    );
  });

  test("stops", async () => {
    const { resume, get } = await waiting(3);
    await resume({ decision: "stop" });
    expect(await get("debate-2")).toMatchObject({
      phase: "completed",
      state: { status: "completed", stopped: true, round: 1 },
    });
  });

  test("a word to both is between the rounds", async () => {
    const { resume } = await waiting();
    const chat = fold(await resume({ decision: "continue", word: "  Think of the animals " }));
    expect(chat.messages.map(({ id }) => id).indexOf("1-person")).toBe(3);
    expect(chat.messages[3]).toMatchObject({ role: "user", content: "Think of the animals" });
  });

  test("a question is answered once: the second answer starts no round", async () => {
    const { id, resume, post, get } = await waiting(3);
    await resume({ decision: "continue", interruptId: id });
    const late = await post("/api/debate/debate-2/resume", { decision: "continue", interruptId: id });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ code: "no_question" });
    expect(await get("debate-2")).toMatchObject({ state: { round: 2 }, phase: "waiting" });
  });

  test("without a decision the question comes again", async () => {
    const { id, resume, get } = await waiting(3);
    expect(question(await resume({}))?.id).toBe(id);
    expect(await get("debate-2")).toMatchObject({ state: { round: 1 }, phase: "waiting" });
  });

  test("a second run of the same debate waits its turn", async () => {
    const client = clientOf(appOn({ model: offline(2) }));
    const first = await client.post("/api/debate", { topic: "Zoos", maxRounds: 1, id: "debate-3" });
    const second = await client.post("/api/debate/debate-3/resume", {});
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ code: "running" });
    expect((await eventsIn(first)).at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  });

  test.each([
    ["an unknown decision", { decision: "perhaps" }, "/decision"],
    ["a word to a stop", { decision: "stop", word: "bye" }, "/word"],
    ["an empty word", { decision: "continue", word: " " }, "/word"],
    ["a long word", { decision: "continue", word: "x".repeat(501) }, "/word"],
    ["a word without a decision", { word: "well" }, "/decision"],
    ["an unknown member", { decision: "continue", force: true }, "/force"],
  ])("refuses %s", async (_, body, pointer) => {
    const { post, get } = await waiting();
    const response = await post("/api/debate/debate-2/resume", body);
    expect(response.status).toBe(400);
    expect((await response.json()).errors.map((fault: { pointer: string }) => fault.pointer)).toEqual([pointer]);
    expect((await get("debate-2")).phase).toBe("waiting");
  });

  test("a debate that no one started is not there", async () => {
    const { post, request } = clientOf(appOn());
    for (const response of [
      await post("/api/debate/nobody-1/resume", {}),
      await request("GET", "/api/debate/nobody-1"),
    ]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "unknown_debate" });
    }
  });
});

describe("what survives", () => {
  test("a reader that leaves ends the run, and the debate goes on from the last turn that ended", async () => {
    const client = clientOf(appOn({ model: offline(1) }));
    const response = await client.post("/api/debate", { topic: "Zoos", maxRounds: 1, id: "debate-4" });
    const reader = response.body?.getReader();
    let text = "";
    const decoder = new TextDecoder();
    while (!text.includes('"messageId":"1-skeptic"')) text += decoder.decode((await reader?.read())?.value);
    await reader?.cancel();
    await vi.waitFor(async () => expect(await client.get("debate-4")).toMatchObject({ phase: "broken_off" }));
    const { state } = await client.get("debate-4");
    expect(state.turns.map(({ id }) => id)).toEqual(["1-optimist"]);
    const chat = fold(await client.run("/api/debate/debate-4/resume", {}));
    expect(chat).toMatchObject({ phase: "idle", state: { status: "completed" } });
    expect(chat.messages.map(({ id, status }) => [id, status])).toEqual([
      ["1-optimist", "complete"],
      ["1-skeptic", "complete"],
      ["1-moderator", "complete"],
    ]);
  });

  test("a debate that waits is there after a restart, and goes on", async () => {
    const dataPath = join(folder, "restart.sqlite");
    const first = appOn({ dataPath });
    await clientOf(first).run("/api/debate", { topic: "Zoos", maxRounds: 2, id: "debate-5" });
    const before = await clientOf(first).get("debate-5");
    await first.close();
    const second = appOn({ dataPath });
    const client = clientOf(second);
    expect(await client.get("debate-5")).toEqual(before);
    await client.run("/api/debate/debate-5/resume", { decision: "continue", interruptId: before.interrupts[0]?.id });
    expect(await client.get("debate-5")).toMatchObject({ phase: "completed", state: { round: 2 } });
    await second.close();
  });

  test("closing ends a run in the middle of its stream", async () => {
    const app = appOn({ model: offline(5) });
    const response = await clientOf(app).post("/api/debate", { topic: "Zoos", maxRounds: 1 });
    await app.close();
    const events = await eventsIn(response);
    expect(types(events)).not.toContain("RUN_FINISHED");
  });

  test("a model that fails ends the run with a message in plain words, and the cause goes to the server", async () => {
    const onError = vi.fn();
    const silent = { model: new FakeListChatModel({ responses: [""] }), name: "silent", offline: false };
    const client = clientOf(appOn({ model: silent, onError }));
    const events = await client.run("/api/debate", { topic: "Zoos", maxRounds: 1, id: "debate-6" });
    expect(events.at(-1)).toMatchObject({
      type: "RUN_ERROR",
      code: "debate_failed",
      message: expect.stringContaining("can go on from there"),
    });
    expect(onError).toHaveBeenCalledOnce();
    expect(await client.get("debate-6")).toMatchObject({ phase: "broken_off" });
  });
});

test("it works under a prefix, and answers to this machine's names only", async () => {
  const host = new Hono();
  host.mount("/debate", appOn().fetch);
  const response = await host.request("http://localhost/debate/api/debate", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ topic: "Zoos", maxRounds: 1 }),
  });
  expect((await eventsIn(response)).at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  expect((await appOn().fetch(new Request("http://evil.example/api/info"))).status).toBe(403);
});
