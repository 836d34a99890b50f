import { defineState, OpstateError } from "@opstate/core";
import { replacementSchema, toolsOf, toolUpdate } from "@opstate/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { board, sample } from "../engine/board.ts";

const user = { kind: "user", id: "ada" };
const agent = { kind: "agent", id: "robot" };

/** A definition with one operation `do` of this input. */
function withInput(input: z.ZodType | mini.ZodMiniType) {
  return defineState({
    name: "x",
    schema: z.object({ n: z.number() }),
    initial: { n: 0 },
    operations: { do: { input: input as z.ZodObject, apply: () => undefined } },
  });
}

function schemaOf(input: z.ZodType | mini.ZodMiniType): unknown {
  return toolsOf(withInput(input))[0]?.inputSchema;
}

describe("toolsOf", () => {
  it("gives the operations that this actor may use, those that need approval included", () => {
    expect(toolsOf(board, { actor: user }).map(({ name }) => name)).not.toContain("audit");
    expect(toolsOf(board, { actor: agent }).map(({ name }) => name)).toEqual(expect.arrayContaining(["audit", "wipe"]));
    expect(toolsOf(board)).toHaveLength(9);
  });

  it("gives none where there is no state, or one that only a replacement can mend", () => {
    expect(toolsOf(board, { current: null })).toEqual([]);
    expect(toolsOf(board, { current: { columns: "none" } })).toEqual([]);
    expect(toolsOf(board, { current: { columns: "none" }, builtIns: ["$replace"] }).map(({ name }) => name)).toEqual([
      "replace",
    ]);
    expect(toolsOf(board, { current: { columns: [] } })).toHaveLength(9);
  });

  it("writes plain JSON Schema without noise", () => {
    const input = z.object({
      id: z.string().describe("whose"),
      n: z.int(),
      when: z.iso.datetime().optional(),
      tags: z.record(z.string(), z.number()),
    });
    expect(schemaOf(input)).toEqual({
      type: "object",
      properties: {
        id: { type: "string", description: "whose" },
        n: { type: "integer" },
        when: { type: "string", format: "date-time" },
        tags: { type: "object", properties: {}, additionalProperties: { type: "number" } },
      },
      required: ["id", "n", "tags"],
    });
    expect(schemaOf(mini.object({ id: mini.string() }))).toEqual({
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
    });
    expect(schemaOf(z.object({}))).toEqual({ type: "object", properties: {} });
  });

  it("makes one object of a root that is a union, and says which belong together", () => {
    const union = z.discriminatedUnion("by", [
      z.object({ by: z.literal("id"), id: z.string(), n: z.int() }),
      z.object({ by: z.literal("name"), name: z.string(), n: z.string().optional() }),
    ]);
    expect(schemaOf(union)).toEqual({
      type: "object",
      properties: {
        by: { enum: ["id", "name"] },
        id: { type: "string" },
        n: { anyOf: [{ type: "integer" }, { type: "string" }] },
        name: { type: "string" },
      },
      required: ["by"],
      description: 'Exactly one of these: { by: "id", id, n } | { by: "name", name, n? }',
    });
    expect(
      schemaOf(z.object({ a: z.string() }).and(z.union([z.object({ b: z.string() }), z.object({ c: z.string() })]))),
    ).toMatchObject({
      type: "object",
      properties: { a: {}, b: {}, c: {} },
      required: ["a"],
    });
  });

  it("has no union, reference or absence at any root", () => {
    const tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), kids: z.array(tree) }));
    const roots = [
      tree,
      z.object({ a: z.string() }).optional(),
      z.object({ a: z.string() }).meta({ id: "AnInput" }),
      z.record(z.string(), z.string()),
      z.object({ a: z.string() }).default({ a: "x" }),
    ];
    for (const root of roots) {
      for (const strict of [false, true]) {
        const json = toolsOf(withInput(root), { strict })[0]?.inputSchema ?? {};
        expect(json).toMatchObject({ type: "object", properties: expect.any(Object) });
        for (const keyword of ["anyOf", "oneOf", "allOf", "$ref", "enum", "not", "$schema"])
          expect(json).not.toHaveProperty(keyword);
      }
    }
  });

  it("puts a prefix before names, and refuses names that no provider accepts", () => {
    expect(toolsOf(board, { prefix: "board_" })[0]?.name).toBe("board_add");
    expect(() => toolsOf(board, { prefix: "my board/" })).toThrow(OpstateError);
    expect(toolUpdate(board, { name: "board_move", args: { cardId: "T-1", to: 1 } }, { prefix: "board_" })).toEqual({
      type: "move",
      cardId: "T-1",
      to: 1,
    });
  });

  it("turns any call into an update that the reducer can judge", () => {
    expect(toolUpdate(board, { name: "toString", args: null })).toEqual({ type: "toString" });
    expect(toolUpdate(board, { name: "move", args: ["x"] }, { strict: true })).toEqual({ type: "move" });
    expect(toolUpdate(board, { name: "move", args: { type: "wipe" } })).toEqual({ type: "move" });
  });
});

describe("a free text", () => {
  it("is a text like any other to a model", () => {
    const title = z.string().describe("The title").meta({ freeText: true });
    expect(schemaOf(z.object({ title }))).toMatchObject({
      properties: { title: { type: "string", description: "The title" } },
    });
    expect(JSON.stringify(schemaOf(z.object({ title: title.optional() })))).not.toContain("freeText");
  });
});

describe("narrow", () => {
  const Task = z.object({ id: z.string(), owner: z.string().nullable(), done: z.boolean() });
  const tasks = defineState({
    name: "tasks",
    schema: z.object({ tasks: z.array(Task), people: z.array(z.string()) }),
    initial: { tasks: [], people: [] },
    operations: {
      finish: {
        input: z.object({ id: z.string().describe("the task") }),
        narrow: (state) => ({ id: state.tasks.filter((task) => !task.done).map((task) => task.id) }),
        apply: () => undefined,
      },
      assign: {
        input: z.object({ ids: z.array(z.string()), owner: z.string().nullable(), cc: z.string().optional() }),
        narrow: (state) => ({ ids: state.tasks.map((task) => task.id), owner: state.people, cc: state.people }),
        apply: () => undefined,
      },
      tidy: {
        input: z.object({}),
        narrow: (state, actor) => (actor?.kind === "user" && state.tasks.some((task) => task.done) ? {} : false),
        apply: () => undefined,
      },
    },
  });
  const task = (id: string, done = false) => ({ id, owner: null, done });
  const offered = (state: object, options = {}) => toolsOf(tasks, { current: state, ...options });

  it("lists live values, and keeps what is beside them", () => {
    const tools = offered({ tasks: [task("a"), task("b", true), task("c")], people: ["ada"] });
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema])).toEqual([
      [
        "finish",
        {
          type: "object",
          properties: { id: { type: "string", description: "the task", enum: ["a", "c"] } },
          required: ["id"],
        },
      ],
      [
        "assign",
        {
          type: "object",
          properties: {
            ids: { type: "array", items: { type: "string", enum: ["a", "b", "c"] } },
            owner: { type: ["string", "null"], enum: ["ada", null] },
            cc: { type: "string", enum: ["ada"] },
          },
          required: ["ids", "owner"],
        },
      ],
    ]);
  });

  it("leaves out what is not legal: no value for what is required, or false", () => {
    expect(offered({ tasks: [task("b", true)], people: ["ada"] }, { actor: user }).map(({ name }) => name)).toEqual([
      "assign",
      "tidy",
    ]);
    expect(offered({ tasks: [], people: ["ada"] })).toEqual([]);
  });

  it("does not list more than a hundred values, and says so", () => {
    const many = Array.from({ length: 101 }, (_, index) => task(`t${index}`));
    const [finish] = offered({ tasks: many, people: [] });
    expect(finish?.inputSchema).toMatchObject({
      properties: { id: { type: "string", description: "the task; one of 101 current values, too many to list" } },
    });
    expect(JSON.stringify(finish)).not.toContain("enum");
    expect(JSON.stringify(offered({ tasks: many.slice(0, 100), people: [] })[0])).toContain('"t99"');
  });

  it("is not called without a state, and its errors go to the owner", () => {
    const errors: unknown[] = [];
    const faulty = defineState({
      name: "faulty",
      schema: z.object({ n: z.number() }),
      initial: { n: 0 },
      operations: {
        go: {
          input: z.object({ id: z.string() }),
          narrow: () => {
            throw new Error("no list");
          },
          apply: () => undefined,
        },
      },
      onFailure: (error) => void errors.push(error),
    });
    expect(toolsOf(faulty)).toHaveLength(1);
    expect(errors).toEqual([]);
    expect(toolsOf(faulty, { current: { n: 1 } })).toHaveLength(1);
    expect(errors).toMatchObject([{ message: "no list" }]);
  });
});

describe("built-ins as tools", () => {
  const names = (options: object) =>
    toolsOf(board, { builtIns: ["$replace", "$batch", "$patch"], ...options }).map(({ name }) => name);

  it("are offered when requested, to those who may, where they can be used", () => {
    expect(names({ actor: agent, current: sample() })).toEqual(expect.arrayContaining(["replace", "batch"]));
    expect(names({ actor: agent })).not.toContain("patch");
    expect(names({ actor: user })).not.toContain("replace");
    expect(names({ current: null })).toEqual(["replace"]);
  });

  it("lead to the update that they represent", () => {
    const value = { columns: [{ columnId: "a", title: "A", cards: [] }] };
    expect(board.transition(null, toolUpdate(board, { name: "replace", args: { value } }))).toMatchObject({
      state: { total: 0 },
    });
    const operations = [board.op.clear({ column: 0 }), board.op.move({ cardId: "T-4", to: 0 })];
    for (const strict of [false, true])
      expect(toolUpdate(board, { name: "batch", args: { operations } }, { strict })).toEqual({
        type: "$batch",
        operations,
      });
  });

  it("describe each operation of a batch, recursive inputs included", () => {
    const tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), kids: z.array(tree) }));
    const [, batch] = toolsOf(withInput(tree), { builtIns: ["$batch"] });
    expect(batch).toMatchObject({
      name: "batch",
      inputSchema: {
        properties: {
          operations: {
            items: {
              anyOf: [{ properties: { type: { const: "do" }, name: {}, kids: { items: { $ref: "#/$defs/do" } } } }],
            },
          },
        },
        $defs: { do: { type: "object" } },
      },
    });
  });

  it("give way to an operation of the same name", () => {
    const own = defineState({
      name: "x",
      schema: z.object({ n: z.int() }),
      initial: { n: 0 },
      operations: { replace: { input: z.object({}), apply: () => undefined } },
    });
    expect(toolUpdate(own, { name: "replace", args: {} })).toEqual({ type: "replace" });
    expect(() => toolsOf(own, { builtIns: ["$replace"] })).toThrow("another tool has this name");
  });
});

describe("replacementSchema", () => {
  it("hides derived fields, and only these", () => {
    const json = JSON.stringify(replacementSchema(board));
    expect(json).not.toContain("cardCount");
    expect(json).not.toContain("total");
    expect(json).toContain('"required":["columnId","title","cards"]');
    const [replace] = toolsOf(board, { builtIns: ["$replace"], current: null, strict: true });
    expect(JSON.stringify(replace)).not.toContain("cardCount");
  });

  it("keeps descriptions, also of what contains a derived field", () => {
    const Column = z.object({ cards: z.array(z.string()).describe("The cards"), count: z.int() }).describe("A column");
    const schema = z.object({ columns: z.array(Column).describe("All columns") }).describe("A board");
    const described = defineState({
      name: "d",
      schema,
      initial: null,
      derive: { "/columns/*/count": (column) => column.cards.length },
      operations: {},
    });
    const json = replacementSchema(described);
    expect(json).toMatchObject({
      description: "A board",
      properties: { columns: { description: "All columns", items: { description: "A column" } } },
    });
    expect(json).toMatchObject({
      properties: { columns: { items: { properties: { cards: { description: "The cards" } } } } },
    });
  });

  it("keeps a field of the same schema where it is not derived", () => {
    const Box = z.object({ items: z.array(z.string()), count: z.int() });
    const boxes = defineState({
      name: "boxes",
      schema: z.object({ open: Box, shut: Box }),
      initial: null,
      derive: { "/open/count": (box) => box.items.length },
      operations: {},
    });
    expect(replacementSchema(boxes)).toMatchObject({
      properties: {
        open: { properties: { items: {} }, required: ["items"] },
        shut: { properties: { count: {} }, required: ["items", "count"] },
      },
    });
    expect(JSON.stringify(replacementSchema(boxes)).match(/count/g)).toHaveLength(2);
  });
});
