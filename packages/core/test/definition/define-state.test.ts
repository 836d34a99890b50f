import { defineState, OpstateError } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import { toolsOf } from "@opstate/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { board, failures, sample } from "../engine/board.ts";

const user = { kind: "user", id: "ada" };
const agent = { kind: "agent", id: "kanban" };

describe("an operation", () => {
  it("is applied, derived, and committed with exact patches", () => {
    const result = board.transition(sample(), board.op.move({ cardId: "T-2", to: 1, position: 0 }));
    expect(result).toMatchObject({ accepted: true, operation: { type: "move", cardId: "T-2", to: 1, position: 0 } });
    if (!result.accepted) return;
    expect(result.state?.columns.map((column) => [column.cardCount, column.cards.map((card) => card.cardId)])).toEqual([
      [2, ["T-1", "T-3"]],
      [2, ["T-2", "T-4"]],
    ]);
  });

  it("shares what it does not touch", () => {
    const before = sample();
    const after = board.reduce(before, board.op.clear({ column: 0 }));
    expect(after?.columns[1]).toBe(before.columns[1]);
  });

  it("that changes nothing gives back the same reference and no patches", () => {
    const before = sample();
    expect(board.transition(before, { type: "clear", column: 9 })).toEqual({
      accepted: true,
      state: before,
      operation: { type: "clear", column: 9 },
      patches: [],
      inverse: [],
    });
    expect(board.reduce(before, structuredClone(before))).toBe(before);
  });

  it("cannot leave a derived field stale", () => {
    const before = sample();
    expect(board.reduce(before, board.op.lie({ column: 0 }))?.columns[0]?.cardCount).toBe(3);
  });
});

describe("a batch", () => {
  it("that nets to nothing changes nothing", () => {
    const before = sample();
    const there = board.op.move({ cardId: "T-1", to: 1, position: 0 });
    const back = board.op.move({ cardId: "T-1", to: 0, position: 0 });
    expect(board.transition(before, { type: "$batch", operations: [there, back] })).toMatchObject({
      accepted: true,
      patches: [],
      inverse: [],
    });
    expect(board.reduce(before, { type: "$batch", operations: [there, back] })).toBe(before);
  });
});

describe("a refusal", () => {
  const state = sample();
  const refusals: [string, unknown, object][] = [
    [
      "of the operation itself",
      { type: "add", column: 7, cardId: "T-9", title: "x" },
      { code: "refused", reason: "column_not_found", message: "There is no column 7", details: { columns: 2 } },
    ],
    ["after edits", { type: "regret" }, { code: "refused", reason: "regretted" }],
    [
      "of an unknown operation",
      { type: "fly" },
      { code: "unknown_operation", message: expect.stringContaining("add, move, clear") },
    ],
    [
      "of a wrong shape",
      { type: "move", cardId: 7 },
      { code: "invalid_operation", message: expect.stringContaining("cardId") },
    ],
    [
      "of a result that breaks the schema",
      { type: "rate", cardId: "T-1", priority: 9 },
      { code: "invalid_state", path: "/columns/0/cards/0/priority" },
    ],
    [
      "of a result that breaks a refinement of the root",
      { type: "add", column: 0, cardId: "T-4", title: "twice" },
      { code: "invalid_state", message: expect.stringContaining("unique") },
    ],
    [
      "of a replacement",
      { columns: [{ columnId: 1 }] },
      { code: "invalid_state", message: expect.stringContaining("columnId") },
    ],
    ["of null", null, { code: "invalid_operation" }],
    [
      "of what is not JSON",
      { type: "add", column: 0, cardId: "a", title: new Date() },
      { code: "invalid_operation", path: "/title" },
    ],
    ["of too much", { type: "add", column: 0, cardId: "a", title: "x".repeat(300_000) }, { code: "too_large" }],
    [
      "of a batch, naming the part",
      { type: "$batch", operations: [board.op.clear({ column: 0 }), { type: "fly" }] },
      { code: "unknown_operation", path: "/operations/1" },
    ],
    [
      "of a batch in a batch",
      { type: "$batch", operations: [{ type: "$batch", operations: [] }] },
      { code: "invalid_operation" },
    ],
    ["of a patch where none are allowed", { type: "$patch", patch: [] }, { code: "unknown_operation" }],
  ];
  it.each(refusals)("%s says why and keeps the state", (_, update, rejection) => {
    const result = board.transition(state, update);
    expect(result).toMatchObject({ accepted: false, rejection });
    expect(result.state).toBe(state);
  });

  it("of a reducer that throws is reported to the owner", () => {
    const result = board.transition(state, { type: "crash" });
    expect(result).toMatchObject({ accepted: false, rejection: { code: "failed" } });
    expect(failures.at(-1)).toMatchObject({ message: "a bug with a secret in it" });
  });

  it("of an operation on no state says what to do", () => {
    expect(board.transition(null, { type: "clear", column: 0 })).toMatchObject({
      accepted: false,
      state: null,
      rejection: { code: "no_state" },
    });
  });
});

describe("permissions", () => {
  const state = sample();
  it("are checked for an actor, and only then", () => {
    expect(board.can(state, board.op.audit({}), user)).toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("agent"),
    });
    expect(board.can(state, board.op.audit({}), agent)).toBeUndefined();
    expect(board.can(state, board.op.audit({}))).toBeUndefined();
    expect(board.can(state, board.op.wipe({}), agent)).toMatchObject({ code: "needs_approval" });
    expect(board.can(state, board.op.wipe({}), user)).toBeUndefined();
  });

  it("give replacements to agents and the system", () => {
    expect(board.transition(state, { columns: [] }, { actor: user })).toMatchObject({
      accepted: false,
      rejection: { code: "forbidden" },
    });
    expect(board.transition(state, { columns: [] }, { actor: agent })).toMatchObject({ accepted: true });
  });

  it("of a batch are the strictest of its parts", () => {
    const operations = [board.op.wipe({}), board.op.audit({})];
    expect(board.transition(state, { type: "$batch", operations }, { actor: agent })).toMatchObject({
      rejection: { code: "needs_approval" },
    });
    expect(board.transition(state, { type: "$batch", operations }, { actor: user })).toMatchObject({
      rejection: { code: "forbidden" },
    });
  });
});

describe("a state from elsewhere", () => {
  it("is copied once, and its owner's object is never frozen", () => {
    const mine = structuredClone(sample());
    const next = board.reduce(mine, board.op.clear({ column: 1 }));
    expect(next?.columns[1]?.cards).toEqual([]);
    expect(Object.isFrozen(mine)).toBe(false);
    expect(mine.columns[1]?.cards).toHaveLength(1);
  });

  it("is repaired by the first update, and the patches say so", () => {
    const stale = { ...structuredClone(sample()), total: 99, extra: 1 };
    const moved = board.transition(stale, board.op.clear({ column: 1 }));
    expect(moved).toMatchObject({ accepted: true, state: { total: 3 } });
    const still = board.transition(stale, board.op.clear({ column: 9 }));
    expect(still).toMatchObject({ accepted: true, state: { total: 4 } });
    for (const result of [moved, still]) {
      if (!result.accepted) throw new Error("refused");
      expect(applyPatch(stale, result.patches)).toMatchObject({ ok: true, document: result.state });
      expect(applyPatch(result.state, result.inverse)).toEqual({
        ok: true,
        document: stale,
        inverse: expect.anything(),
      });
    }
  });

  it("that is not valid accepts only a replacement", () => {
    const broken = { columns: "none" } as never;
    expect(board.transition(broken, board.op.clear({ column: 0 }))).toMatchObject({
      accepted: false,
      rejection: { code: "invalid_state" },
    });
    expect(board.transition(broken, { columns: [] })).toMatchObject({
      accepted: true,
      state: { columns: [], total: 0 },
    });
  });
});

describe("defineState", () => {
  const spec = { name: "x", schema: z.object({ n: z.number() }), initial: null, operations: {} };
  const mistakes: [string, () => unknown, string][] = [
    ["a derive pointer to nowhere", () => defineState({ ...spec, derive: { "/m": () => 1 } }), 'nothing at "/m"'],
    [
      "derive pointers that overlap",
      () =>
        defineState({
          ...spec,
          schema: z.object({ a: z.object({ b: z.number() }) }),
          derive: { "/a": () => ({ b: 1 }), "/a/b": () => 1 },
        }),
      "overlap",
    ],
    [
      "an operation named like a built-in",
      () => defineState({ ...spec, operations: { $x: { input: z.object({}), apply: () => undefined } } }),
      "$x",
    ],
    [
      "an input with a key type",
      () =>
        defineState({ ...spec, operations: { x: { input: z.object({ type: z.string() }), apply: () => undefined } } }),
      "type",
    ],
    [
      "an input that is no object",
      () => defineState({ ...spec, operations: { x: { input: z.string(), apply: () => undefined } } }),
      "object",
    ],
    [
      "a schema that transforms",
      () => defineState({ ...spec, schema: z.object({ n: z.string().transform(Number) }) as never }),
      "transform",
    ],
    ["a root key type", () => defineState({ ...spec, schema: z.object({ type: z.string() }), initial: null }), "type"],
    ["an initial state that does not fit", () => defineState({ ...spec, initial: { n: "one" } as never }), "initial"],
    ["a name that no graph accepts", () => defineState({ ...spec, name: "a:b" }), "name"],
  ];
  it.each(mistakes)("refuses %s", (_, define, text) => {
    expect(define).toThrow(OpstateError);
    expect(define).toThrow(text);
  });

  it("works with zod/mini", () => {
    const counter = defineState({
      name: "counter",
      schema: mini.object({ count: mini.int() }),
      initial: { count: 0 },
      operations: {
        add: { input: mini.object({ by: mini.int() }), apply: (draft, { by }) => void (draft.count += by) },
      },
    });
    expect(counter.reduce(counter.initial, counter.op.add({ by: 2 }))).toEqual({ count: 2 });
    expect(counter.transition(counter.initial, { type: "add", by: "2" })).toMatchObject({
      rejection: { message: expect.stringContaining("by") },
    });
  });

  it("fills defaults and strips unknown keys of a replacement, and leaves derived fields to derive", () => {
    const list = defineState({
      name: "list",
      schema: z.object({ items: z.array(z.string()).default([]), count: z.int() }),
      initial: { count: 0, items: [] },
      derive: { "/count": (state) => state.items.length },
      operations: {},
    });
    expect(list.reduce(list.initial, { type: "$replace", value: { items: ["a"] } })).toEqual({
      items: ["a"],
      count: 1,
    });
    expect(list.reduce({ items: ["a"], count: 1 }, { unknown: 1 } as never)).toEqual({ items: [], count: 0 });
  });
});

describe("limits", () => {
  const Reply: z.ZodType<Reply> = z.lazy(() => z.object({ text: z.string(), replies: z.array(Reply) }));
  interface Reply {
    text: string;
    replies: Reply[];
  }
  const talk = defineState({
    name: "talk",
    schema: z.object({ root: Reply }),
    initial: { root: { text: "hi", replies: [] } },
    limits: { state: { depth: 12, bytes: 300 } },
    operations: {
      reply: {
        input: z.object({ text: z.string() }),
        apply(draft, { text }) {
          let last = draft.root;
          while (last.replies[0]) last = last.replies[0];
          last.replies.push({ text, replies: [] });
        },
      },
    },
  });

  it("refuse an operation that nests too deeply, and never a state that operations led to", () => {
    let state = talk.initial;
    let refused = 0;
    for (let n = 0; n < 20; n++) {
      const result = talk.transition(state, talk.op.reply({ text: "again and again" }));
      if (!result.accepted) expect(result.rejection.code).toBe("too_large");
      refused += result.accepted ? 0 : 1;
      state = result.state;
    }
    expect(refused).toBeGreaterThan(5);
    const stored: typeof state = JSON.parse(JSON.stringify(state));
    expect(talk.transition(stored, talk.op.reply({ text: "after a restart" }))).toMatchObject({
      rejection: { code: "too_large" },
    });
  });
});

describe("an operation's input", () => {
  it("cannot be changed by its code: what is recorded is what was sent", () => {
    const list = defineState({
      name: "list",
      schema: z.object({ items: z.array(z.string()) }),
      initial: { items: [] },
      operations: {
        set: {
          input: z.object({ items: z.array(z.string()) }),
          apply: (draft, { items }) => void (draft.items = items.sort()),
        },
      },
      onFailure: () => undefined,
    });
    expect(list.transition(list.initial, list.op.set({ items: ["b", "a"] }))).toMatchObject({
      accepted: false,
      rejection: { code: "failed" },
    });
  });
});

describe("toolsOf", () => {
  it("gives one tool for each operation that this actor may use", () => {
    expect(toolsOf(board, { actor: user }).map((tool) => tool.name)).not.toContain("audit");
    expect(toolsOf(board, { actor: agent }).find((tool) => tool.name === "move")).toMatchObject({
      description: "Move a card",
      inputSchema: { type: "object", properties: { cardId: { type: "string" } }, required: ["cardId", "to"] },
    });
    expect(toolsOf(board, { current: null })).toEqual([]);
  });
});
