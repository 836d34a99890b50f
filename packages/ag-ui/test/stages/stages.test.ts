// The stages before the fold, as an application runs them: over a list, over a stream, and around
// what they cannot judge.

import type { AGUIEvent } from "@ag-ui/core";
import { describe, expect, it } from "vitest";
import { expandChunks, verifyEvents } from "@opstate/ag-ui";

const run = { type: "RUN_STARTED", threadId: "t", runId: "r" };
const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r" };
const chunk = { type: "TEXT_MESSAGE_CHUNK", messageId: "m", delta: "x" };
const call = { type: "TOOL_CALL_CHUNK", toolCallId: "c", toolCallName: "search", delta: "{" };
const start = { type: "TEXT_MESSAGE_START", messageId: "m" };
const typesOf = (events: Iterable<AGUIEvent>) => [...events].map(({ type }) => type);
/** Events as a stream brings them: of no type that a compiler knows. */
const wire = (...events: readonly unknown[]) => events as readonly AGUIEvent[];

async function* arriving(events: readonly AGUIEvent[]) {
  for (const event of events) yield Promise.resolve(event);
}

describe("expandChunks and verifyEvents", () => {
  it("run lazily, over lists and over streams", async () => {
    const events = wire(run, chunk, { type: "TEXT_MESSAGE_CHUNK", delta: "y" }, finished);
    const whole = [
      "RUN_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ];
    expect(typesOf(verifyEvents(expandChunks(events)))).toEqual(whole);
    const arrived: string[] = [];
    for await (const event of verifyEvents(expandChunks(arriving(events)))) arrived.push(event.type);
    expect(arrived).toEqual(whole);
    const endless = (function* () {
      yield* events;
      throw new Error("read too far");
    })();
    expect(verifyEvents(expandChunks(endless)).next().value).toEqual(run);
  });

  it("turn a violation into one error, and pass nothing on until a run starts", () => {
    const events = wire(
      run,
      start,
      start,
      { type: "TEXT_MESSAGE_END", messageId: "m" },
      finished,
      { ...run, runId: "r2" },
      { ...finished, runId: "r2" },
    );
    const out = [...verifyEvents(events)];
    expect(typesOf(out)).toEqual(["RUN_STARTED", "TEXT_MESSAGE_START", "RUN_ERROR", "RUN_STARTED", "RUN_FINISHED"]);
    expect(out[2]).toMatchObject({
      code: "protocol_violation",
      message: 'TEXT_MESSAGE_START: text message "m" is open already; end it first',
    });
  });

  it("report a stream that ended early, before or inside a run", () => {
    expect([...verifyEvents([])]).toMatchObject([{ code: "truncated_stream" }]);
    expect(typesOf(verifyEvents(wire(run, finished, { ...run, runId: "r2" })))).toEqual([
      "RUN_STARTED",
      "RUN_FINISHED",
      "RUN_STARTED",
      "RUN_ERROR",
    ]);
  });

  it("pass on events that the fold has to record", () => {
    const events = wire(run, { type: "META" }, { type: "TEXT_MESSAGE_START", messageId: 5 }, null, finished);
    expect([...verifyEvents(expandChunks(events))]).toEqual(events);
  });

  it("pass on what a chunk has beside its text", () => {
    const [, opened, added] = expandChunks(
      wire(run, { ...chunk, metadata: { k: 1 }, rawEvent: { provider: 1 }, mood: "happy" }),
    );
    expect(opened).toEqual({ ...start, role: "assistant", metadata: { k: 1 } });
    expect(added).toEqual({
      type: "TEXT_MESSAGE_CONTENT",
      messageId: "m",
      delta: "x",
      metadata: { k: 1 },
      rawEvent: { provider: 1 },
      mood: "happy",
    });
    expect([...expandChunks(wire({ type: "TEXT_MESSAGE_CHUNK", messageId: "m", mood: "happy" }))]).toMatchObject([
      { ...start, mood: "happy" },
    ]);
  });

  it.each([
    ["another role", chunk, { type: "TEXT_MESSAGE_CHUNK", role: "user" }],
    ["a name that it had not", chunk, { type: "TEXT_MESSAGE_CHUNK", name: "Ann" }],
    ["another tool", call, { type: "TOOL_CALL_CHUNK", toolCallName: "move" }],
    ["another parent", call, { type: "TOOL_CALL_CHUNK", parentMessageId: "m" }],
    [
      "another subagent",
      { ...chunk, subagentRunId: "s1" },
      { type: "TEXT_MESSAGE_CHUNK", messageId: "m", subagentRunId: "s2" },
    ],
    [
      "no id, of two streams",
      { ...chunk, subagentRunId: "s1" },
      { ...chunk, messageId: "n", subagentRunId: "s2" },
      { type: "TEXT_MESSAGE_CHUNK" },
    ],
    ["no tool", { type: "TOOL_CALL_CHUNK", toolCallId: "c" }],
  ])("refuse a chunk with %s", (_what, ...chunks) => {
    expect([...expandChunks(wire(...chunks))].at(-1)).toMatchObject({ type: "RUN_ERROR", code: "protocol_violation" });
  });

  it("accept a chunk that repeats its start", () => {
    expect(typesOf(expandChunks(wire(call, call, run)))).toEqual([
      "TOOL_CALL_START",
      "TOOL_CALL_ARGS",
      "TOOL_CALL_ARGS",
      "TOOL_CALL_END",
      "RUN_STARTED",
    ]);
  });

  const by = (owner: string, event: object) => ({ ...event, subagentRunId: owner });
  const end = { type: "TEXT_MESSAGE_END", messageId: "m" };
  const owned = {
    id: "m",
    role: "assistant",
    content: "",
    subagentRunId: "s1",
    toolCalls: [{ id: "c", type: "function", function: { name: "n", arguments: "" } }],
  };
  it.each([
    ["a message that it closed and an untagged event opened again", by("s1", start), end, start, end],
    ["a result's message", by("s1", { type: "TOOL_CALL_RESULT", messageId: "m", toolCallId: "c", content: "" })],
    ["a message of a snapshot", { type: "MESSAGES_SNAPSHOT", messages: [owned] }],
  ])("keep the owner of %s", (_what, ...events) => {
    expect([...verifyEvents(wire(run, ...events, by("s2", start)))].at(-1)).toMatchObject({
      code: "protocol_violation",
    });
    expect([...verifyEvents(wire(run, ...events, by("s1", start)))].at(-1)).toMatchObject({ code: "truncated_stream" });
  });

  it("give a tool call the owner of its message", () => {
    const opened = [
      run,
      by("s1", start),
      { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "n", parentMessageId: "m" },
    ];
    const args = { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "" };
    expect([...verifyEvents(wire(...opened, by("s1", args)))].at(-1)).toMatchObject({ code: "truncated_stream" });
    expect([...verifyEvents(wire(...opened, by("s2", args)))].at(-1)).toMatchObject({ code: "protocol_violation" });
    expect(
      [
        ...verifyEvents(
          wire({ ...run, input: { threadId: "t", runId: "r", messages: [owned] } }, by("s2", { ...opened[2] })),
        ),
      ].at(-1),
    ).toMatchObject({
      code: "protocol_violation",
    });
  });
});
