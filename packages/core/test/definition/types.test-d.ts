import { defineState, type OperationOf, type OperationSpec, type StateOf, type Thread } from "@opstate/core";
import { replayLog } from "@opstate/core/log";
import { checkDefinition } from "@opstate/core/testing";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";

const schema = z.object({ cards: z.array(z.object({ id: z.string() })) });
const move = {
  input: z.object({ id: z.string(), level: z.enum(["low", "high"]), tags: z.array(z.string()).optional() }),
  apply: () => undefined,
};
const clear = { input: z.object({}), apply: () => undefined };
const archive = { input: z.object({ id: z.string() }), apply: () => undefined };
const board = defineState({ name: "board", schema, initial: null, operations: { move, clear } });
const grown = defineState({ name: "board", schema, initial: null, operations: { move, clear, archive } });

describe("what a definition gives its author", () => {
  it("a switch over its operations stops compiling when one is added", () => {
    const before = (operation: OperationOf<typeof board>): string => {
      switch (operation.type) {
        case "move":
          return operation.id;
        case "clear":
          return "all";
        default:
          return operation satisfies never;
      }
    };
    const after = (operation: OperationOf<typeof grown>): string => {
      switch (operation.type) {
        case "move":
          return operation.id;
        case "clear":
          return "all";
        default:
          // @ts-expect-error `archive` has no case
          return operation satisfies never;
      }
    };
    expectTypeOf(before).returns.toBeString();
    expectTypeOf(after).returns.toBeString();
  });

  it("`narrow` knows the state and the input: items for a list, members for an enum", () => {
    const apply = () => undefined;
    const { input } = move;
    defineState({
      name: "board",
      schema,
      initial: null,
      operations: {
        move: {
          input,
          narrow: (state) => ({ id: state.cards.map(({ id }) => id), level: ["low"], tags: ["a"] }),
          apply,
        },
      },
    });
    defineState({ name: "board", schema, initial: null, operations: { move: { input, narrow: () => false, apply } } });
    // @ts-expect-error there is no such level
    const wrong = { input, narrow: () => ({ level: ["middle"] }), apply } satisfies Parameters<
      typeof one<typeof input>
    >[0];
    expectTypeOf(wrong).toBeObject();
  });

  it("`apply` returns nothing: what an arrow function would return by accident does not compile", () => {
    const Items = z.object({ items: z.array(z.string()), title: z.string() });
    const input = z.object({ item: z.string() });
    type Spec = OperationSpec<z.infer<typeof Items>, typeof input>;
    // @ts-expect-error the new length
    const pushed: Spec = { input, apply: (draft, { item }) => draft.items.push(item) };
    // @ts-expect-error the assigned value
    const assigned: Spec = { input, apply: (draft, { item }) => (draft.title = item) };
    // @ts-expect-error the assigned list
    const filtered: Spec = { input, apply: (draft) => (draft.items = draft.items.filter((item) => item !== "")) };
    // @ts-expect-error whether it is deleted
    const deleted: Spec = { input, apply: (draft, { item }) => Reflect.deleteProperty(draft, item) };
    // @ts-expect-error a new state
    const spread: Spec = { input, apply: (draft, { item }) => ({ ...draft, items: [...draft.items, item] }) };
    const block: Spec = {
      input,
      // @ts-expect-error a new state, from a method
      apply(draft, { item }) {
        return { ...draft, title: item };
      },
    };
    // @ts-expect-error a promise
    const awaited: Spec = { input, apply: async (draft, { item }) => void draft.items.push(item) };
    expectTypeOf([pushed, assigned, filtered, deleted, spread, block, awaited]).toBeArray();
    defineState({
      name: "items",
      schema: Items,
      initial: null,
      operations: {
        // @ts-expect-error the same, where everything is inferred
        push: { input, apply: (draft, { item }) => draft.items.push(item) },
      },
    });
  });

  it("`apply` may return what `reject` returns, on some paths or all, and nothing on the others", () => {
    const input = z.object({ item: z.string() });
    defineState({
      name: "items",
      schema: z.object({ items: z.array(z.string()) }),
      initial: null,
      operations: {
        add: {
          input,
          // Compiled with `noImplicitReturns`.
          apply(draft, { item }, { reject }) {
            if (item === "") return reject("empty");
            draft.items.push(item);
          },
        },
        arrow: {
          input,
          apply: (draft, { item }, { reject }) =>
            item === "" ? reject("empty") : Object.assign(draft, { items: [] }) && undefined,
        },
        braces: {
          input,
          apply: (draft, { item }, { reject }) => {
            if (item === "") return reject("empty");
            if (item === "no") return;
            if (item === "none") return undefined;
            draft.items.push(item);
          },
        },
        never: { input, apply: (_draft, _input, { reject }) => reject("never") },
        throws: {
          input,
          apply() {
            throw new Error("not yet");
          },
        },
        void: { input, apply: (draft, { item }) => void draft.items.push(item) },
        helper: { input, apply: (draft) => empty(draft.items) },
      },
    });
  });

  it("a check and a replay know the state", () => {
    checkDefinition(board, {
      states: [{ cards: [] }],
      examples: [board.op.clear({})],
      invariants: { few: (state) => state.cards.length < 9 },
    });
    // @ts-expect-error a state has cards
    checkDefinition(board, { states: [{}] });
    const thread = {} as Thread<typeof board>;
    const replayed = async () => replayLog(grown, await thread.history());
    expectTypeOf(replayed).returns.resolves.toHaveProperty("state").toEqualTypeOf<StateOf<typeof grown>>();
  });
});

declare function one<Input extends z.ZodType>(
  operation: import("@opstate/core").OperationSpec<z.infer<typeof schema>, Input>,
): void;

declare function empty(items: string[]): void;
