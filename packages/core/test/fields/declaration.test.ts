import { execFileSync } from "node:child_process";
import { defineAgentState, fieldsFromDeclaration as fieldsFromData, OpstateError } from "@opstate/core";
import { type FieldDeclaration, type FieldDeclarations, fieldsFromDeclaration } from "@opstate/core/declaration";
import { describe, expect, it } from "vitest";

const declare = (declaration: unknown) => defineAgentState(fieldsFromDeclaration(declaration as FieldDeclarations));
const lists = (...fields: readonly FieldDeclaration[]) => declare(fields);
const message = (id: string, content: string) => ({ role: "user", id, content });

describe("what can be declared", () => {
  const declared = [
    { name: "title" },
    { name: "round", type: "int", default: 2 },
    { name: "score", type: "float", default: 0.5 },
    { name: "done", type: "bool" },
    { name: "messages", type: "list" },
    { name: "config", type: "dict", default: { a: { b: 1 } }, description: "Settings" },
    { name: "extra", type: "any" },
  ];
  const initial = { title: "", round: 2, score: 0.5, done: false, messages: [], config: { a: { b: 1 } }, extra: null };

  it.each([
    ["a list", declared],
    ["a list under state", { name: "agent", state: declared }],
    ["a list under fields", { fields: declared }],
    ["a list under state and fields", { name: "agent", state: { fields: declared } }],
    ["JSON", JSON.stringify(declared, null, 2)],
    ["JSON with an object", JSON.stringify({ state: declared })],
    ["JSON under state and fields", JSON.stringify({ name: "agent", state: { version: 1, fields: declared } })],
    [
      "YAML",
      `# an agent
state:
  - name: title
  - { name: round, type: int, default: 2 }
  - { name: score, type: float, default: .5 }
  - { name: done, type: bool }
  - name: messages
    type: list
  - name: config
    type: dict
    default:
      a: { b: 1 }
    description: Settings
  - name: extra
    type: any
`,
    ],
  ])("%s", (_, declaration) => {
    const state = declare(declaration);
    expect(state.initial).toEqual(initial);
    const next = state.reduce(undefined, { title: "x", round: 3, score: 2, done: true, config: {}, extra: [1] });
    expect(next).toEqual({ title: "x", round: 3, score: 2, done: true, messages: [], config: {}, extra: [1] });
    const refused = state.transition(next, {
      title: 1,
      round: 0.5,
      score: "2",
      done: "yes",
      messages: { a: 1n },
      config: [],
      extra: () => 1,
    });
    expect(refused.state).toBe(next);
    expect(Object.keys(refused.rejections)).toEqual(Object.keys(initial));
  });

  it("one declaration twice gives the same fields, and no caller's object is kept", () => {
    const given = { name: "config", type: "dict", default: { a: 1 } } as const;
    const state = declare([given]);
    expect(Object.isFrozen(given.default)).toBe(false);
    expect(state.initial["config"]).not.toBe(given.default);
  });
});

describe("reducers of declared lists", () => {
  const twice = (state: ReturnType<typeof declare>, field: string, first: unknown, second: unknown) =>
    state.reduce(state.reduce(undefined, { [field]: first }), { [field]: second })[field];

  it("messages append by default, everything else is replaced", () => {
    const state = lists({ name: "messages", type: "list" }, { name: "notes", type: "list" });
    expect(twice(state, "messages", [message("1", "a")], [message("2", "b")])).toEqual([
      message("1", "a"),
      message("2", "b"),
    ]);
    expect(twice(state, "notes", ["a"], ["b"])).toEqual(["b"]);
  });

  it("an explicit replace on messages replaces them", () => {
    const state = lists({ name: "messages", type: "list", reducer: "replace" });
    expect(twice(state, "messages", [message("1", "a")], [message("2", "b")])).toEqual([message("2", "b")]);
  });

  it("several lists have each their own", () => {
    const state = lists(
      { name: "messages", type: "list", reducer: "replace" },
      { name: "log", type: "list", reducer: "append" },
      { name: "plan", type: "list", reducer: "replace" },
      { name: "seen", type: "list", reducer: "append" },
    );
    const one = state.reduce(undefined, { messages: ["m"], log: ["a"], plan: ["p"], seen: [1] });
    expect(state.reduce(one, { messages: ["n"], log: ["b"], plan: ["q"], seen: [2, 3] })).toEqual({
      messages: ["n"],
      log: ["a", "b"],
      plan: ["q"],
      seen: [1, 2, 3],
    });
  });

  it("the setting says nothing on what is no list", () => {
    const state = declare([
      { name: "title", reducer: "append" },
      { name: "messages", type: "str", reducer: "append" },
      { name: "round", type: "int", reducer: "sum" },
    ]);
    expect(twice(state, "title", "a", "b")).toBe("b");
    expect(twice(state, "messages", "a", "b")).toBe("b");
    expect(twice(state, "round", 1, 2)).toBe(2);
  });

  it("what has the form of a message is replaced by id and removed; other items are appended as they are", () => {
    const log = lists({ name: "log", type: "list", reducer: "append", default: [message("0", "start")] });
    const item = { id: "1", title: "no message" };
    const one = log.reduce(undefined, { log: [message("1", "a"), item, "text", 7, ["user", "x"]] });
    expect(one["log"]).toEqual([message("0", "start"), message("1", "a"), item, "text", 7, ["user", "x"]]);
    const two = log.reduce(one, { log: [message("1", "b"), item, { type: "remove", id: "0" }] });
    expect(two["log"]).toEqual([message("1", "b"), item, "text", 7, ["user", "x"], item]);
    expect(log.transition(two, { log: { type: "remove", id: "0" } })).toMatchObject({
      state: two,
      rejections: { log: { code: "refused", reason: "unknown_id" } },
    });
    expect(log.reduce(two, { log: [{ type: "remove", id: "__remove_all__" }, "anew"] })["log"]).toEqual(["anew"]);
  });

  it("a message without an id gets one, so that it can be removed", () => {
    const state = lists({ name: "messages", type: "list" });
    const one = state.reduce(undefined, {
      messages: [
        { role: "user", content: "a" },
        { role: "user", content: "a" },
      ],
    })["messages"];
    expect(one).toMatchObject([
      { role: "user", content: "a" },
      { role: "user", content: "a" },
    ]);
    const ids = (one as { id: string }[]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(state.reduce({ messages: one }, { messages: ids.map((id) => ({ type: "remove", id })) })).toEqual({
      messages: [],
    });
  });

  it("instances of message classes become plain", () => {
    const instance = new (class {
      lc_kwargs = {};
      content = "a";
      id = "1";
      _getType() {
        return "human";
      }
    })();
    for (const reducer of ["append", "replace"] as const)
      expect(lists({ name: "messages", type: "list", reducer }).reduce(undefined, { messages: [instance] })).toEqual({
        messages: [{ id: "1", type: "human", content: "a" }],
      });
  });
});

describe("what cannot be declared", () => {
  const yaml = `name: agent
state:
  - name: title
    type: string
  - name: round
    type: int
    default: many
  - name: round
    type: list
    reducer: sum
  - type: bool
  - {name: a/b, defualt: 3}
  - just text
`;

  it("is all named with line and field", () => {
    const thrown = error(() => fieldsFromDeclaration(yaml));
    expect(thrown.code).toBe("invalid_definition");
    expect(thrown.message.split("\n").filter((line) => line.startsWith("- "))).toEqual([
      '- line 4, field "title": type "string" is not one of str, int, float, bool, list, dict, any',
      expect.stringMatching(/^- line 7, field "round": default "many" is not of type int: .*number/),
      '- line 10, field "round": reducer "sum" is not one of append, replace',
      '- line 8, field "round": is declared twice',
      "- line 11, a field without a name: must have a name, a string; got undefined",
      expect.stringMatching(/^- line 12, field "a\/b": has an unknown key "defualt"/),
      expect.stringMatching(/^- line 12, field "a\/b": a name is/),
      expect.stringMatching(/^- line 13, a field without a name: must be an object/),
    ]);
  });

  it("has lines in JSON, too, and positions in values", () => {
    expect(
      error(() => fieldsFromDeclaration('[\n  { "name": "a" },\n  { "name": "b",\n    "type": "number" }\n]')).message,
    ).toContain('line 4, field "b": type "number"');
    expect(error(() => fieldsFromDeclaration([{ name: "a" }, { name: "b", type: "number" }])).message).toContain(
      'declaration 2, field "b": type "number"',
    );
  });

  it.each([
    ["a text that is no YAML", "state:\n  - name: [", /line 2/],
    ["a key twice", "- name: a\n  type: int\n  type: str", /line 3/],
    ["nothing", "", /must be a list/],
    ["a number", 7, /must be a list/],
    ["an object without a list", { name: "agent" }, /must be a list/],
    ["a map of fields", "state:\n  title: { type: str }", /line 1: must be a list/],
    ["a value that is no JSON", [{ name: "a", default: () => 1 }], /JSON/],
    ["a default that is no number", "- name: a\n  type: float\n  default: .nan", /JSON/],
    ["a default of another type", "- name: a\n  type: dict\n  default: []", /line 3, field "a": default an array/],
    [
      "aliases that explode",
      `a: &a [x, x]\n${"bcdefghij"
        .split("")
        .map((key, index) => `${key}: &${key} [${`*${"abcdefghi"[index]}, `.repeat(9)}]`)
        .join("\n")}\nstate: *j`,
      /lias/,
    ],
    ["nesting without end", "[".repeat(20_000), /cannot be read/],
    ["an alias to nothing", "- *nothing", /nothing/],
  ])("%s", (_, declaration, message) => {
    expect(error(() => fieldsFromDeclaration(declaration as FieldDeclarations)).message).toMatch(message);
  });
});

describe("what the root reads", () => {
  it("is data, alone or under a key", () => {
    const fields = [{ name: "notes", type: "list", reducer: "append" }];
    for (const declaration of [fields, { state: fields }, { fields }, { name: "agent", state: { fields } }])
      expect(defineAgentState(fieldsFromData(declaration)).reduce(undefined, { notes: ["a"] })).toEqual({
        notes: ["a"],
      });
  });

  it("is not text, and says what reads text", () => {
    // @ts-expect-error -- a text
    expect(error(() => fieldsFromData("- { name: a }")).message).toContain("@opstate/core/declaration");
  });

  it("loads nothing of the yaml package", async () => {
    const hook = `import { registerHooks } from "node:module";
      registerHooks({ load(url, context, next) { if (url.includes("/yaml/")) console.log(url); return next(url, context); } });
      await import(process.argv[1]);`;
    const loads = (entry: string) =>
      execFileSync(process.execPath, ["--conditions=@opstate/source", "--input-type=module", "-e", hook, entry], {
        encoding: "utf8",
      });
    expect(loads(new URL("../../src/index.ts", import.meta.url).href)).toBe("");
    expect(loads(new URL("../../src/declaration.ts", import.meta.url).href)).toContain("/yaml/");
  });
});

function error(make: () => unknown): OpstateError {
  try {
    make();
  } catch (thrown) {
    if (thrown instanceof OpstateError) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}
