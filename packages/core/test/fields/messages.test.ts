import { defined, messages } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeOracle } from "./messages-oracle.ts";

const chat = messages();
const hello = { id: "1", type: "human", content: "Hello" } as const;
const answer = { id: "2", type: "ai", content: "Hi" } as const;

/** What LangChain's classes look like from outside. */
class FakeMessage {
  lc_namespace = ["langchain_core", "messages"];
  lc_kwargs: object;
  content: unknown;
  additional_kwargs = {};
  response_metadata: object = {};
  tool_calls: unknown[] = [];
  id: string | undefined;
  readonly #type: string;
  constructor(type: string, fields: { content: unknown; id?: string; response_metadata?: object }) {
    this.#type = type;
    this.lc_kwargs = fields;
    this.content = fields.content;
    this.id = fields.id;
    if (fields.response_metadata) this.response_metadata = fields.response_metadata;
  }
  _getType() {
    return this.#type;
  }
}

describe("what counts as a message", () => {
  it.each([
    ["a text", "Hello", { type: "human", content: "Hello" }],
    ["a tuple", [["system", "Be brief"]], { type: "system", content: "Be brief" }],
    ["a role", { role: "assistant", content: "Hi", id: "2" }, { id: "2", type: "ai", content: "Hi" }],
    [
      "content blocks",
      { role: "user", content: [{ type: "text", text: "Hello" }] },
      { type: "human", content: [{ type: "text", text: "Hello" }] },
    ],
    [
      "a developer's",
      { role: "developer", content: "x" },
      { type: "system", additional_kwargs: { __openai_role__: "developer" } },
    ],
    ["more fields", { type: "human", content: "x", name: "ada", mood: 1 }, { name: "ada", mood: 1 }],
    ["an answer of a tool", { role: "tool", content: "4", tool_call_id: "c1" }, { type: "tool", tool_call_id: "c1" }],
    [
      "OpenAI's tool calls",
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } }],
      },
      { type: "ai", content: "", tool_calls: [{ id: "c1", name: "add", args: { a: 1 }, type: "tool_call" }] },
    ],
    ["an instance", new FakeMessage("ai", { content: "Hi", id: "2" }), { id: "2", type: "ai", content: "Hi" }],
    [
      "JSON of an instance",
      { lc: 1, type: "constructor", id: ["langchain_core", "messages", "AIMessageChunk"], kwargs: { content: "Hi" } },
      { type: "ai", content: "Hi" },
    ],
  ])("%s", (_, update, expected) => {
    const [message, ...rest] = chat([], update as never);
    expect(rest).toEqual([]);
    expect(message).toMatchObject(expected);
    expect(message?.id).toEqual(expect.any(String));
    expect(JSON.parse(JSON.stringify(message))).toEqual(message);
    expect(Object.keys(message ?? {}).filter((key) => key.startsWith("lc_") || key === "response_metadata")).toEqual(
      [],
    );
  });

  it.each([
    ["a number", 3, "/0"],
    ["an unknown role", { role: "narrator", content: "x" }, "/0/role"],
    ["nobody's", { content: "x" }, "/0/type"],
    ["no content", { role: "user" }, "/0/content"],
    ["content that is no text", { role: "user", content: 3 }, "/0/content"],
    ["an id that is no text", { role: "user", content: "x", id: 3 }, "/0/id"],
    ["an answer to no call", { role: "tool", content: "x" }, "/0/tool_call_id"],
    [
      "calls without JSON",
      { role: "assistant", tool_calls: [{ type: "function", function: { name: "add", arguments: "{" } }] },
      "/0/tool_calls",
    ],
    [
      "calls with a key that is not allowed",
      {
        role: "assistant",
        tool_calls: [{ type: "function", function: { name: "add", arguments: '{"__proto__":{}}' } }],
      },
      "/0/tool_calls",
    ],
    ["a removal of nothing", { type: "remove" }, "/0/id"],
    ["a date in a plain message", { role: "user", content: "x", at: new Date(0) }, undefined],
    ["a function", () => "x", undefined],
    [
      "an instance with a BigInt",
      new FakeMessage("ai", { content: "x", response_metadata: { tokens: 1n } }),
      undefined,
    ],
    ["a tuple at the top, which is two texts", ["user", { not: "content" }], "/1/type"],
  ])("not %s", (_, update, path) => {
    const current = chat([], hello);
    const result = chat.transition(current, update);
    expect(result).toMatchObject({
      accepted: false,
      rejection: { code: "invalid_operation", ...defined({ path }) },
    });
    expect(result.state).toBe(current);
  });
});

describe("merging", () => {
  it("replaces by id in place and appends the rest in order", () => {
    const current = chat([], [hello, answer]);
    const next = chat(current, [
      { ...hello, content: "Hello!" },
      { role: "user", content: "Bye", id: "3" },
    ]);
    expect(next.map(({ id, content }) => [id, content])).toEqual([
      ["1", "Hello!"],
      ["2", "Hi"],
      ["3", "Bye"],
    ]);
    expect(next[1]).toBe(current[1]);
  });

  it("changes nothing when everything is sent again", () => {
    const current = chat([], ["Hello", answer]);
    expect(chat(current, structuredClone(current))).toBe(current);
    expect(chat(current, [{ type: "remove", id: "__remove_all__" }, ...structuredClone(current)])).toBe(current);
    expect(chat(current, new FakeMessage("ai", { content: "Hi", id: "2" }))).toBe(current);
  });

  it("removes, or refuses to remove what is not there", () => {
    const current = chat([], [hello, answer]);
    expect(chat(current, new FakeMessage("remove", { content: [], id: "1" }))).toEqual([answer]);
    expect(
      chat.transition(current, [
        { role: "user", content: "lost?" },
        { type: "remove", id: "9" },
      ]),
    ).toMatchObject({
      accepted: false,
      rejection: { code: "refused", reason: "unknown_id", path: "/1/id" },
    });
    expect(chat(current, [{ type: "remove", id: "__remove_all__" }, "Anew"])).toMatchObject([{ content: "Anew" }]);
  });

  it("makes instances in a checkpoint plain with the next change, and starts anew where the list cannot be read", () => {
    const foreign = [new FakeMessage("human", { content: "Hello", id: "1" })] as never;
    expect(chat(foreign, answer)).toEqual([hello, answer]);
    const broken = [{ nonsense: true }] as never;
    expect(chat.transition(broken, answer)).toMatchObject({
      accepted: false,
      state: broken,
      rejection: { code: "invalid_state" },
    });
    expect(chat(broken, [{ type: "remove", id: "__remove_all__" }, answer])).toEqual([answer]);
  });
});

describe("ids", () => {
  it("follow from the content: the same for the same update, another for the same words said again", () => {
    const once = chat([], "yes");
    expect(chat([], "yes")).toEqual(once);
    const twice = chat(once, ["yes", "yes", "no"]);
    expect(new Set(twice.map(({ id }) => id)).size).toBe(4);
    expect(twice[0]).toBe(once[0]);
  });

  it("never reuse one that the same update names", () => {
    const [minted] = chat([], "yes");
    const next = chat([], ["yes", { role: "user", content: "other", id: minted?.id }]);
    expect(next.map(({ content }) => content)).toEqual(["yes", "other"]);
  });
});

const id = fc.constantFrom("a", "b", "c", "d");
const like = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ role: fc.constantFrom("user", "assistant"), content: fc.string({ maxLength: 2 }), id }),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 1 }) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("user", "ai"), fc.string({ maxLength: 1 })) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("remove"), id }) },
  { weight: 1, arbitrary: fc.constant({ type: "remove", id: "__remove_all__" }) },
);

describe("against LangGraph's rules", () => {
  it("any run of updates gives the same messages in the same order, and a refusal where LangGraph throws", () => {
    let changed = 0;
    let refused = 0;
    fc.assert(
      fc.property(
        fc.array(fc.array(like, { maxLength: 5 }), { minLength: 3, maxLength: 12, size: "max" }),
        (updates) => {
          let state = chat.initial;
          for (const update of updates) {
            const before = structuredClone(state);
            const expected = mergeOracle(state, update);
            const result = chat.transition(state, update);
            expect(state).toEqual(before);
            expect(result.accepted).toBe(expected !== undefined);
            if (expected === undefined) {
              refused++;
              expect(result.state).toBe(state);
              continue;
            }
            expect(result.state.map(({ type, content }) => ({ type, content }))).toEqual(
              expected.map(({ type, content }) => ({ type, content })),
            );
            expect(result.state.map((message, index) => expected[index]?.id ?? message.id)).toEqual(
              result.state.map((message) => message.id),
            );
            expect(new Set(result.state.map((message) => message.id)).size).toBe(result.state.length);
            if (result.state !== state) changed++;
            else expect(expected.map(({ content }) => content)).toEqual(before.map(({ content }) => content));
            state = result.state;
          }
        },
      ),
      { numRuns: 500 },
    );
    expect(changed).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(200);
  });
});
