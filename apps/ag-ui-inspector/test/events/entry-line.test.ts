// One line for any entry of a recording, whatever an agent sent.

import { describe, expect, it } from "vitest";
import { entryLine } from "../../src/events/entry-line.ts";

const event = (value: unknown) => entryLine({ at: 0, event: value });

describe("an entry's line", () => {
  it.each([
    [{ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hello" }, "Hello", "text"],
    [{ type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "search" }, "search", "tool"],
    [
      {
        type: "STATE_DELTA",
        delta: [
          { op: "add", path: "/a", value: 1 },
          { op: "remove", path: "/b" },
        ],
      },
      "add /a, remove /b",
      "state",
    ],
    [{ type: "RUN_FINISHED", runId: "r", outcome: { type: "interrupt" } }, "interrupt", "run"],
    [{ type: "RUN_ERROR", message: "No money" }, "No money", "bad"],
    [{ type: "FUTURE" }, "", "other"],
  ])("of %j", (given, detail, group) => expect(event(given)).toEqual({ type: given.type, detail, group }));

  it("says what was sent, answered, and how a stream broke", () => {
    expect(entryLine({ at: 0, send: [{ id: "1", role: "user", content: "Hi" }] })).toMatchObject({
      type: "SENT",
      detail: "Hi",
    });
    expect(entryLine({ at: 0, send: [] })).toMatchObject({ type: "ANSWER" });
    expect(entryLine({ at: 0, end: { kind: "truncated", message: "It stopped." } })).toMatchObject({
      detail: "It stopped.",
      group: "bad",
    });
  });

  it.each([
    null,
    5,
    "text",
    [],
    {},
    { type: 5 },
    { type: "STATE_DELTA", delta: 5 },
    { type: "STATE_DELTA", delta: [null] },
  ])("accepts %j", (given) => expect(typeof event(given).detail).toBe("string"));

  it("is short for what is long", () => {
    expect(event({ type: "TEXT_MESSAGE_CONTENT", delta: "x".repeat(10_000) }).detail.length).toBeLessThan(200);
  });
});
