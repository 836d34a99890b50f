// Keys that a user chose and that no state may have: refused with words, as any other input that
// does not fit, and never written to what all objects share.

import { defineState } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const failures: unknown[] = [];

const shelf = defineState({
  name: "shelf",
  schema: z.object({ items: z.record(z.string(), z.object({ title: z.string() })) }),
  initial: { items: { book: { title: "A" } } },
  onFailure: (error) => failures.push(error),
  operations: {
    put: {
      input: z.object({ key: z.string(), title: z.string() }),
      apply(draft, { key, title }) {
        draft.items[key] = { title };
      },
    },
    assign: {
      input: z.object({ key: z.string() }),
      apply(draft, { key }) {
        Object.defineProperty(draft.items, key, {
          value: { title: "B" },
          enumerable: true,
          writable: true,
          configurable: true,
        });
      },
    },
    rename: {
      input: z.object({ key: z.string(), title: z.string() }),
      apply(draft, { key, title }, { reject }) {
        const item = draft.items[key];
        if (!item) return reject("not_found", `There is no "${key}".`);
        item.title = title;
      },
    },
    retitle: {
      input: z.object({ key: z.string(), title: z.string() }),
      apply(draft, { key, title }, { reject }) {
        if (!(key in draft.items)) return reject("not_found", `There is no "${key}".`);
        draft.items[key] = { title };
      },
    },
    remove: {
      input: z.object({ key: z.string() }),
      apply(draft, { key }) {
        delete draft.items[key];
      },
    },
  },
});

function rejectionOf(update: unknown) {
  const result = shelf.transition(shelf.initial, update);
  return result.accepted ? undefined : result.rejection;
}

describe("a key __proto__", () => {
  it.each(["put", "assign"])("that %s writes is refused with words, as no bug of the operation", (type) => {
    failures.length = 0;
    expect(rejectionOf({ type, key: "__proto__", title: "B" })).toMatchObject({
      code: "invalid_state",
      path: "/items/__proto__",
      message: `"${type}" failed: /items/__proto__ is a key that is not allowed. Nothing was changed.`,
    });
    expect(failures).toEqual([]);
    expect(Object.prototype).not.toHaveProperty("title");
  });

  it.each([
    ["in an input", { type: "put", key: JSON.parse('{"__proto__":1}'), title: "B" }, "invalid_operation"],
    ["beside an input", JSON.parse('{"type":"put","key":"k","title":"B","__proto__":1}'), "invalid_operation"],
    ["in a replacement", { items: JSON.parse('{"__proto__":{"title":"B"}}') }, "invalid_operation"],
  ])("%s is refused", (_place, update, code) => {
    expect(rejectionOf(update)).toMatchObject({ code, message: expect.stringContaining("__proto__") });
  });

  it("that is removed changes nothing", () => {
    expect(shelf.reduce(shelf.initial, { type: "remove", key: "__proto__" })).toBe(shelf.initial);
  });
});

describe("a name that every object inherits", () => {
  it.each(["__proto__", "constructor"])("is no item: %s", (key) => {
    for (const type of ["rename", "retitle"])
      expect(rejectionOf({ type, key, title: "B" })).toMatchObject({ code: "refused", reason: "not_found" });
    expect(Object.prototype).not.toHaveProperty("title");
    expect(Object).not.toHaveProperty("title");
  });

  it.each(["toString", "hasOwnProperty", "valueOf"])("is in no record before it is put there: %s", (key) => {
    expect(rejectionOf({ type: "retitle", key, title: "B" })).toMatchObject({ reason: "not_found" });
  });

  it.each(["constructor", "toString", "prototype"])("is a key like any other once it was put there: %s", (key) => {
    const state = shelf.reduce(shelf.initial, { type: "put", key, title: "B" });
    expect(Object.hasOwn(state.items, key)).toBe(true);
    expect(shelf.reduce(state, { type: "rename", key, title: "C" }).items[key]).toEqual({ title: "C" });
  });
});
