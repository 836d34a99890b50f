// What holds for any events at all: the fold is total, pure and silent, and what an event did not
// change keeps its identity.

import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isDeepStrictEqual } from "node:util";
import { chatReducer, type ChatState, createChatReducer, initialChatState } from "@opstate/ag-ui";
import { enforce } from "../../src/enforce/enforce.ts";
import { sequences } from "../differential/sequences.ts";

const unfrozen = createChatReducer({ freeze: false });
const settings = { numRuns: 300 };

afterEach(() => void vi.restoreAllMocks());

/** The states after each event, the first one before any. */
function history(events: readonly unknown[], reducer = unfrozen, from: ChatState = initialChatState()): ChatState[] {
  const states = [from];
  for (const event of events) states.push(reducer(states.at(-1)!, event));
  return states;
}

describe("the fold", () => {
  it("accepts any value, and its state stays JSON", () => {
    const anything = fc.array(
      fc.oneof(
        fc.anything(),
        fc.record({ type: fc.constantFrom(...types), delta: fc.anything(), messageId: fc.anything() }),
      ),
    );
    fc.assert(
      fc.property(anything, (events) => {
        for (const state of history(events)) expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
      settings,
    );
  });

  it("accepts objects that throw when they are read", () => {
    const hostile = [
      new Proxy({}, { ownKeys: broken, get: broken, getPrototypeOf: broken }),
      {
        type: "CUSTOM",
        name: "a",
        get value(): never {
          return broken();
        },
      },
    ];
    const cyclic: Record<string, unknown> = { type: "STATE_SNAPSHOT" };
    cyclic["snapshot"] = cyclic;
    for (const event of [
      ...hostile,
      cyclic,
      { type: "STATE_SNAPSHOT", snapshot: JSON.parse('{"__proto__": {"polluted": 1}}') as unknown },
    ]) {
      expect(chatReducer(initialChatState(), event)).toMatchObject({
        phase: "error",
        error: { kind: "malformed" },
        state: {},
      });
    }
    expect({}).not.toHaveProperty("polluted");
  });

  it("changes neither state nor event", () => {
    fc.assert(
      fc.property(sequences, (events) => {
        const before = JSON.stringify(events);
        let state = initialChatState();
        for (const event of events) {
          const text = JSON.stringify(state);
          const next = unfrozen(state, event);
          expect(JSON.stringify(state)).toBe(text);
          state = next;
        }
        expect(JSON.stringify(events)).toBe(before);
      }),
      settings,
    );
  });

  it("shares no object with an event", () => {
    fc.assert(
      fc.property(sequences, (events) => {
        const states = history(events);
        const text = JSON.stringify(states.at(-1));
        for (const event of events) scramble(event);
        expect(JSON.stringify(states.at(-1))).toBe(text);
      }),
      settings,
    );
  });

  it("returns the same state for the same events, also from a stored state", () => {
    fc.assert(
      fc.property(sequences, fc.nat(), (events, cut) => {
        const states = history(events);
        const at = cut % states.length;
        const stored = JSON.parse(JSON.stringify(states[at])) as ChatState;
        expect(history(events.slice(at), createChatReducer(), stored).at(-1)).toEqual(states.at(-1));
      }),
      settings,
    );
  });

  it("returns the same state, whichever branch was folded before", () => {
    fc.assert(
      fc.property(sequences, sequences, fc.nat(), (events, others, cut) => {
        const trunk = history(events);
        const at = cut % trunk.length;
        const branch = history(others, unfrozen, trunk[at]);
        expect(branch.at(-1)).toEqual(
          history(others, createChatReducer({ freeze: false }), structuredClone(trunk[at]!)).at(-1),
        );
        expect(history(events.slice(at), unfrozen, trunk[at]).at(-1)).toEqual(trunk.at(-1));
      }),
      settings,
    );
  });

  it("finds a call in its own branch, not in another one with the same id", () => {
    const call = { id: "c", type: "function", function: { name: "search", arguments: "" } };
    const assistant = (id: string) => ({ id, role: "assistant", toolCalls: [call] });
    const user = { id: "u", role: "user", content: "Hello" };
    const trunk = history([
      { type: "RUN_STARTED", threadId: "t", runId: "r", input: { ...input, messages: [user] } },
    ]).at(-1)!;
    history(
      [
        { type: "TEXT_MESSAGE_START", messageId: "m1" },
        { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "search", parentMessageId: "m2" },
      ],
      unfrozen,
      trunk,
    );
    const twice = { type: "MESSAGES_SNAPSHOT", messages: [user, assistant("m3"), assistant("m4")] };
    const messages = history([twice, { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "{}" }], unfrozen, trunk).at(
      -1,
    )!.messages;
    expect(messages.slice(1)).toMatchObject([{ toolCalls: [{ arguments: "{}" }] }, { toolCalls: [{ arguments: "" }] }]);
  });

  it("gives a result to all calls of a message with its id, as a snapshot does", () => {
    const call = (name: string) => ({ id: "c", type: "function", function: { name, arguments: "{}" } });
    const assistant = { id: "m", role: "assistant", toolCalls: [call("first"), call("second")] };
    const start = { type: "MESSAGES_SNAPSHOT", messages: [assistant] };
    const result = { type: "TOOL_CALL_RESULT", messageId: "r", toolCallId: "c", content: "ok" };
    const whole = {
      type: "MESSAGES_SNAPSHOT",
      messages: [assistant, { id: "r", role: "tool", toolCallId: "c", content: "ok" }],
    };
    const calls = {
      toolCalls: [
        { name: "first", result: { content: "ok" } },
        { name: "second", result: { content: "ok" } },
      ],
    };
    expect(history([start, result], unfrozen).at(-1)!.messages[0]).toMatchObject(calls);
    expect(history([start, whole], unfrozen).at(-1)!.messages[0]).toMatchObject(calls);
  });

  it("keeps the identity of what did not change, and of the whole when nothing did", () => {
    let still = 0;
    fc.assert(
      fc.property(sequences, (events) => {
        const states = history(events);
        for (const [position, event] of events.entries()) {
          const before = states[position]!;
          const after = states[position + 1]!;
          const what = JSON.stringify(event);
          for (const key of Object.keys(after) as (keyof ChatState)[]) {
            if (isDeepStrictEqual(before[key], after[key]))
              expect(before[key], `${key} after ${what}`).toBe(after[key]);
          }
          for (const message of after.messages) {
            const old = before.messages.find(({ id }) => id === message.id);
            if (isDeepStrictEqual(old, message)) expect(old, `${message.id} after ${what}`).toBe(message);
            const calls = old?.role === "assistant" ? (old.toolCalls ?? []) : [];
            for (const call of message.role === "assistant" ? (message.toolCalls ?? []) : []) {
              const earlier = calls.find(({ id }) => id === call.id);
              if (isDeepStrictEqual(earlier, call)) expect(earlier, `${call.id} after ${what}`).toBe(call);
            }
          }
          if (isDeepStrictEqual(before, after)) {
            expect(before, `after ${what}`).toBe(after);
            still++;
          }
        }
      }),
      settings,
    );
    expect(still).toBeGreaterThan(0);
  });

  it("keeps message ids unique", () => {
    fc.assert(
      fc.property(sequences, (events) => {
        const ids = history(events)
          .at(-1)!
          .messages.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      settings,
    );
  });

  it("leaves nothing streaming when a run ends", () => {
    fc.assert(
      fc.property(sequences, (events) => {
        const states = history(events);
        for (const [position, event] of events.entries()) {
          const { messages, steps, reasoning, run } = states[position + 1]!;
          if (
            !["RUN_FINISHED", "RUN_ERROR"].includes(event.type) ||
            enforce(event).event === undefined ||
            run === undefined
          )
            continue;
          const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
          expect([...messages, ...calls].map(({ status }) => status)).not.toContain("streaming");
          expect(steps.map(({ status }) => status)).not.toContain("running");
          expect(reasoning).toEqual([]);
        }
      }),
      settings,
    );
  });

  it("prints nothing", () => {
    const spies = (["log", "info", "warn", "error", "debug"] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation(() => undefined),
    );
    fc.assert(
      fc.property(sequences, (events) => void history(events, chatReducer)),
      settings,
    );
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });

  it("is frozen in development, and only then", () => {
    const event = { type: "STATE_SNAPSHOT", snapshot: { deep: [1] } };
    expect(Object.isFrozen((chatReducer(initialChatState(), event).state as { deep: unknown }).deep)).toBe(true);
    expect(Object.isFrozen(event.snapshot)).toBe(false);
    expect(Object.isFrozen(unfrozen(initialChatState(), event))).toBe(false);
    vi.stubEnv("NODE_ENV", "production");
    expect(Object.isFrozen(createChatReducer()(initialChatState(), event))).toBe(false);
    vi.unstubAllEnvs();
  });
});

const input = { threadId: "t", runId: "r", tools: [], context: [] };

const types = [
  "TEXT_MESSAGE_CONTENT",
  "TEXT_MESSAGE_START",
  "TOOL_CALL_ARGS",
  "STATE_DELTA",
  "STATE_SNAPSHOT",
  "MESSAGES_SNAPSHOT",
  "CUSTOM",
  "RUN_STARTED",
];

function broken(): never {
  throw new Error("cannot be read");
}

/** Writes to everything below an event. */
function scramble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const child of Object.values(value)) scramble(child);
  Object.assign(value, { scrambled: true });
  if (Array.isArray(value)) value.push("scrambled");
}
