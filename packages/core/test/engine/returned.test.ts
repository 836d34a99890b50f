import { defineState } from "@opstate/core";
import { immerDrafts } from "@opstate/core/immer";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const START = { items: ["a"], title: "List" };

/** What an operation with this apply comes to. The compiler would refuse most of them. */
function outcome(apply: (draft: any, input: object, context: any) => unknown, drafts = immerDrafts) {
  const results = [undefined, drafts].map((engine) => {
    const errors: unknown[] = [];
    const list = defineState({
      name: "list",
      schema: z.object({ items: z.array(z.string()), title: z.string() }),
      initial: START,
      ...(engine === undefined ? {} : { drafts: engine }),
      operations: { edit: { input: z.object({}), apply: apply as () => undefined } },
      onFailure: (error) => void errors.push(error),
    });
    const result = list.transition(list.initial, { type: "edit" });
    return result.accepted
      ? { state: result.state }
      : { code: result.rejection.code, message: result.rejection.message, errors: errors.length };
  });
  expect(results[1]).toEqual(results[0]);
  return results[0];
}

describe("what apply returns", () => {
  it("may be nothing, or the draft", () => {
    const state = { ...START, title: "New" };
    expect(outcome((draft) => void (draft.title = "New"))).toEqual({ state });
    expect(outcome((draft) => Object.assign(draft, { title: "New" }))).toEqual({ state });
  });

  it.each([
    ["a number", (draft: typeof START) => draft.items.push("b")],
    ["a string", (draft: typeof START) => (draft.title = "New")],
    ["a boolean", () => false],
    ["null", () => null],
  ])("fails as %s, with the braces that are missing", (what, apply) => {
    expect(outcome(apply)).toEqual({
      code: "failed",
      message:
        `"edit" failed: its apply returned ${what}, but must return nothing. ` +
        "Put the body in braces: (draft) => { draft.items.push(item); }. Nothing was changed.",
      errors: 1,
    });
  });

  it.each([
    ["an object", (draft: typeof START) => ({ ...draft, title: "New" })],
    ["an object", () => START],
    ["an array", (draft: typeof START) => (draft.items = [])],
    ["an array", (draft: typeof START) => draft.items],
  ])("fails as %s that is not the draft, with what to assign", (what, apply) => {
    expect(outcome(apply)).toEqual({
      code: "failed",
      message:
        `"edit" failed: its apply returned ${what}, but must edit its draft and return nothing: assign what ` +
        "changes, as in draft.items = items or Object.assign(draft, next). Nothing was changed.",
      errors: 1,
    });
  });

  it("fails as a promise, whose own failure is no unhandled rejection", () => {
    expect(outcome((draft) => Promise.reject(new Error(String(draft.title))))).toMatchObject({
      code: "failed",
      message: expect.stringContaining("its apply is asynchronous"),
    });
  });

  it("does not matter once the operation is refused", () => {
    const apply = (_: unknown, __: object, { reject }: { reject: (reason: string) => void }) => (reject("full"), 7);
    expect(outcome(apply)).toEqual({ code: "refused", message: "Refused: full", errors: 0 });
  });

  it("fails one operation of a batch, and so the batch", () => {
    const list = defineState({
      name: "list",
      schema: z.object({ items: z.array(z.string()) }),
      initial: { items: [] },
      operations: {
        add: { input: z.object({}), apply: (draft) => void draft.items.push("a") },
        put: { input: z.object({}), apply: (draft: any): any => draft.items.push("b") },
      },
      onFailure: () => undefined,
    });
    const result = list.transition(list.initial, { type: "$batch", operations: [{ type: "add" }, { type: "put" }] });
    expect(result).toMatchObject({ accepted: false, rejection: { code: "failed", path: "/operations/1" } });
    expect(result.state).toBe(list.initial);
  });
});
