import { defineState, type OperationOf, type StateOf, type Thread } from "@opstate/core";
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
