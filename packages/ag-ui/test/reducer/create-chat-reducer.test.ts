// What an application sets on a reducer: a definition, a decision on conflicts, handlers, reducers
// of its own beside it.

import { defineState } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  appendMessage,
  chatReducer,
  type ChatState,
  composeReducers,
  createChatReducer,
  customHandler,
  endStream,
  initialChatState,
} from "@opstate/ag-ui";

const list = defineState({
  name: "list",
  version: 1,
  schema: z.object({ items: z.array(z.string().max(5)), count: z.number() }),
  initial: { items: [], count: 0 },
  derive: { "/count": (state) => state.items.length },
  operations: {},
});
const maybe = defineState({
  name: "maybe",
  version: 1,
  schema: z.object({ a: z.number() }),
  initial: null,
  operations: {},
});

const run = { type: "RUN_STARTED", threadId: "t", runId: "r" };
const delta = (...patch: readonly unknown[]) => ({ type: "STATE_DELTA", delta: patch });
const fold = (events: readonly unknown[], reducer = chatReducer, from: ChatState = initialChatState()) =>
  events.reduce<ChatState>((state, event) => reducer(state, event), from);

describe("a reducer with a definition", () => {
  const reducer = createChatReducer({ definition: list });
  const start = initialChatState({ state: list.initial });

  it("accepts a valid state, and recomputes derived fields whatever the agent sends for them", () => {
    const added = reducer(start, delta({ op: "add", path: "/items/-", value: "one" }));
    expect(added.state).toEqual({ items: ["one"], count: 1 });
    const lied = reducer(added, delta({ op: "replace", path: "/count", value: 7 }));
    expect(lied.state).toBe(added.state);
    expect(reducer(start, { type: "STATE_SNAPSHOT", snapshot: { items: ["a", "b"] } }).state).toEqual({
      items: ["a", "b"],
      count: 2,
    });
  });

  it("records a conflict for a delta or a snapshot that breaks the schema", () => {
    const broken = reducer(start, delta({ op: "add", path: "/items/-", value: "far too long" }));
    expect(broken.state).toBe(start.state);
    expect(broken.conflicts).toMatchObject([{ index: -1, code: "invalid_state", state: { items: [], count: 0 } }]);
    const snapshot = reducer(broken, { type: "STATE_SNAPSHOT", snapshot: { items: "none" } });
    expect(snapshot.state).toBe(start.state);
    expect(snapshot.conflicts).toMatchObject([{}, { patches: [{ op: "replace", path: "" }], code: "invalid_state" }]);
    expect(reducer(snapshot, { type: "STATE_SNAPSHOT", snapshot: { items: [] } }).conflicts).toEqual([]);
  });

  it("checks what a delta touched, and accepts one that repairs a state", () => {
    let checked = 0;
    const item = z.object({ n: z.number() }).refine(() => ++checked > 0);
    const items = defineState({
      name: "items",
      schema: z.object({ items: z.array(item) }),
      initial: null,
      operations: {},
    });
    const long = createChatReducer({ definition: items });
    const sent = { items: Array.from({ length: 50 }, (_, n) => ({ n })) };
    const chat = long(initialChatState({ state: items.initial }), { type: "STATE_SNAPSHOT", snapshot: sent });
    checked = 0;
    const next = long(chat, delta({ op: "replace", path: "/items/7/n", value: -1 }));
    expect(next.state?.items[7]).toEqual({ n: -1 });
    expect(next.state?.items[8]).toBe(chat.state?.items[8]);
    expect(long(next, delta({ op: "replace", path: "/items/7", value: { n: -1 } }))).toBe(next);
    // The edit, and the value that turned out to be there already.
    expect(checked).toBeLessThanOrEqual(2);
    const invalid = initialChatState({ state: {} as { items: string[]; count: number } });
    const mended = reducer(invalid, delta({ op: "add", path: "/items", value: ["one"] }));
    expect(mended).toMatchObject({ state: { items: ["one"], count: 1 }, conflicts: [] });
  });

  it("has no state where the definition starts with none", () => {
    const chat = createChatReducer({ definition: maybe })(initialChatState({ state: maybe.initial }), {
      type: "STATE_SNAPSHOT",
      snapshot: { a: 1 },
    });
    expect(chat.state?.a).toBe(1);
    expect(createChatReducer({ definition: maybe })(chat, { type: "STATE_SNAPSHOT", snapshot: null }).state).toBeNull();
  });
});

describe("conflicts", () => {
  const wrong = delta({ op: "replace", path: "/a", value: 2 }, { op: "remove", path: "/none" });

  it("say what failed, and later deltas still apply", () => {
    const chat = fold([
      run,
      { type: "STATE_SNAPSHOT", snapshot: { a: 1 } },
      wrong,
      delta({ op: "add", path: "/b", value: 1 }),
    ]);
    expect(chat.state).toEqual({ a: 1, b: 1 });
    expect(chat.conflicts).toEqual([
      { patches: wrong.delta, index: 1, code: "not_found", reason: expect.stringContaining("/none"), state: { a: 1 } },
    ]);
  });

  it.each([
    ["keep", { a: 1, b: 1 }],
    ["snapshot", { a: 1 }],
    [{ state: { a: 9 } }, { a: 9 }],
  ] as const)("come to what resolveConflict says: %j", (resolution, state) => {
    const reducer = createChatReducer({ resolveConflict: () => resolution });
    const chat = fold(
      [run, { type: "STATE_SNAPSHOT", snapshot: { a: 1 } }, delta({ op: "add", path: "/b", value: 1 }), wrong],
      reducer,
    );
    expect(chat.state).toEqual(state);
    expect(chat.conflicts).toMatchObject([
      { index: 1, resolution: typeof resolution === "string" ? resolution : "custom" },
    ]);
  });

  it("stay as they are when the hook throws or returns a state that the definition refuses", () => {
    const throws = createChatReducer({
      resolveConflict() {
        throw new Error("a bug");
      },
    });
    expect(fold([wrong], throws).conflicts).toMatchObject([{ resolution: "keep" }]);
    const refused = createChatReducer({ definition: list, resolveConflict: () => ({ state: { items: 5 } }) });
    const chat = refused(initialChatState({ state: list.initial }), wrong);
    expect(chat).toMatchObject({ state: { items: [] }, conflicts: [{ resolution: "keep" }] });
  });

  it("are recorded for a delta that was made from another version of the thread", () => {
    const at = (version: number, after?: number) => ({ metadata: { opstate: { version, after } } });
    const add = delta({ op: "add", path: "/b", value: 1 });
    const start = { type: "STATE_SNAPSHOT", snapshot: { a: 1 }, ...at(5) };
    expect(fold([start, { ...add, ...at(6, 5) }, { ...add, ...at(7, 6) }])).toMatchObject({
      conflicts: [],
      protocol: { version: 7 },
    });
    const missed = fold([start, { ...add, ...at(8, 7) }]);
    expect(missed).toMatchObject({ state: { a: 1 }, conflicts: [{ index: -1, code: "version" }] });
    expect(missed.conflicts[0]?.reason).toBe("The change leads from version 7 to 8, but the state is at version 5");
    expect(fold([start, { type: "STATE_SNAPSHOT", snapshot: {} }, { ...add, ...at(8, 7) }]).conflicts).toEqual([]);
  });

  it("of an activity end with its next snapshot, and are at most a hundred", () => {
    const activity = { type: "ACTIVITY_SNAPSHOT", messageId: "a", activityType: "plan", content: {} };
    const patch = {
      type: "ACTIVITY_DELTA",
      messageId: "a",
      activityType: "plan",
      patch: [{ op: "remove", path: "/x" }],
    };
    const chat = fold([activity, patch, wrong]);
    expect(chat.conflicts).toMatchObject([{ messageId: "a", state: {} }, { index: 0 }]);
    expect(fold([activity], chatReducer, chat).conflicts).toMatchObject([{ index: 0 }]);
    const many = fold(Array.from({ length: 120 }, () => wrong));
    expect(many.conflicts).toHaveLength(100);
    expect(many.warnings).toMatchObject([{ code: "too_many_conflicts" }]);
  });
});

describe("custom events", () => {
  it("change nothing when their handler refuses or throws", () => {
    const number = customHandler(z.number(), (state, value) => ({
      ...state,
      custom: { ...state.custom, doubled: value * 2 },
    }));
    const broken = customHandler(z.unknown(), () => {
      throw new Error("a bug");
    });
    const reducer = createChatReducer({ custom: { number, broken } });
    expect(fold([{ type: "CUSTOM", name: "number", value: 4 }], reducer).custom).toEqual({ doubled: 8 });
    const refused = fold(
      [
        { type: "CUSTOM", name: "number", value: "4" },
        { type: "CUSTOM", name: "broken", value: 1 },
      ],
      reducer,
    );
    expect(refused).toMatchObject({ custom: {}, warnings: [{ code: "invalid_custom" }, { code: "invalid_custom" }] });
  });

  it("cannot change a prototype with their name", () => {
    const chat = fold([{ type: "CUSTOM", name: "__proto__", value: { polluted: true } }]);
    expect({}).not.toHaveProperty("polluted");
    expect(Object.keys(chat.custom)).toEqual(["__proto__"]);
  });
});

describe("functions beside the fold", () => {
  it("composes reducers in their order, over fields of their own", () => {
    type WithLog = ChatState & { readonly log: readonly string[] };
    const reducer = composeReducers<WithLog>(chatReducer, (state, event) => ({
      ...state,
      log: [...state.log, `${(event as { type: string }).type}:${state.phase}`],
    }));
    expect(reducer({ ...initialChatState(), log: [] }, run).log).toEqual(["RUN_STARTED:running"]);
  });

  it("ends a stream: an open run is truncated, a finished one stays the same", () => {
    const open = fold([run, { type: "TEXT_MESSAGE_START", messageId: "m" }]);
    expect(endStream(open)).toMatchObject({
      phase: "error",
      error: { kind: "truncated" },
      run: { outcome: "error" },
      messages: [{ status: "incomplete" }],
    });
    expect(endStream(open, { kind: "transport", message: "offline" }).error?.kind).toBe("transport");
    const done = fold([run, { type: "RUN_FINISHED", threadId: "t", runId: "r" }]);
    expect(endStream(done)).toBe(done);
  });

  it("keeps the error of a run until the next one starts", () => {
    const chat = fold([
      run,
      { type: "TEXT_MESSAGE_CONTENT", messageId: 5, delta: "x" },
      { type: "RUN_FINISHED", threadId: "t", runId: "r" },
    ]);
    expect(chat).toMatchObject({
      phase: "error",
      error: { kind: "malformed", eventType: "TEXT_MESSAGE_CONTENT" },
      run: { outcome: "success" },
    });
    const next = fold([{ ...run, runId: "r2" }], chatReducer, chat);
    expect(next.phase).toBe("running");
    expect(next).not.toHaveProperty("error");
  });

  it.each([{ timestamp: 0.5 }, { timestamp: "soon" }, { subagentRunId: null }, { metadata: 1 }, { delta: null }])(
    "accepts no fragment with %j",
    (field) => {
      const chat = fold([run, { type: "TEXT_MESSAGE_START", messageId: "m" }]);
      const next = chatReducer(chat, { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "x", ...field });
      expect(next).toMatchObject({ error: { kind: "malformed" }, messages: [{ content: "" }] });
    },
  );

  it("adds a message of the user once, with its run", () => {
    const chat = fold([
      { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "pick" },
      { type: "TOOL_CALL_END", toolCallId: "c" },
    ]);
    const answered = appendMessage(chat, { id: "t", role: "tool", toolCallId: "c", content: "red" });
    expect(answered.messages).toMatchObject([
      { toolCalls: [{ result: { messageId: "t", content: "red" } }] },
      { role: "tool" },
    ]);
    expect(appendMessage(answered, { id: "t", role: "tool", toolCallId: "c", content: "blue" })).toBe(answered);
  });

  it("records a warning once", () => {
    const odd = { type: "HEARTBEAT" };
    const chat = fold([odd]);
    expect(chat.warnings).toMatchObject([{ code: "unknown_event", eventType: "HEARTBEAT" }]);
    expect(chatReducer(chat, odd)).toBe(chat);
    const delta = {
      type: "STATE_DELTA",
      delta: [{ op: "increment" }, { op: "add", path: "/n", value: 1 }, { op: "increment" }],
    };
    expect(fold([delta])).toMatchObject({ state: { n: 1 }, warnings: [{ code: "unknown_member", path: "/delta/0" }] });
  });

  it("throws for an initial state that is not JSON", () => {
    expect(() => initialChatState({ state: { when: new Date(0) } })).toThrow(/state\/when is an instance of a class/);
  });
});
