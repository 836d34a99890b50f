import {
  defineState,
  type DraftOf,
  type OperationOf,
  type ReadonlyDeep,
  type StateOf,
  type UpdateOf,
} from "@opstate/core";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";

const Board = z.object({
  columns: z.array(z.object({ id: z.string(), count: z.int(), cards: z.array(z.object({ id: z.string() })) })),
});
const operations = {
  move: { input: z.object({ cardId: z.string(), position: z.int().optional() }), apply: () => undefined },
  clear: { input: z.object({ id: z.string() }), apply: () => undefined },
};
const board = defineState({
  name: "board",
  schema: Board,
  initial: null,
  derive: { "/columns/*/count": (column) => column.cards.length },
  operations,
});
const filled = defineState({ name: "board", schema: Board, initial: { columns: [] }, operations: {} });

describe("the types of a definition", () => {
  it("come from its values", () => {
    expectTypeOf<StateOf<typeof board>>().toEqualTypeOf<ReadonlyDeep<z.infer<typeof Board>> | null>();
    expectTypeOf<StateOf<typeof filled>>().toEqualTypeOf<ReadonlyDeep<z.infer<typeof Board>>>();
    expectTypeOf<DraftOf<typeof board>>().toEqualTypeOf<z.infer<typeof Board>>();
    expectTypeOf<OperationOf<typeof board>["type"]>().toEqualTypeOf<"move" | "clear">();
    expectTypeOf(board.op.move).parameter(0).toExtend<{ readonly cardId: string }>();
  });

  it("let a replacement leave out derived fields, and nothing else", () => {
    expectTypeOf<{ columns: { id: string; cards: { id: string }[] }[] }>().toExtend<UpdateOf<typeof board>>();
    expectTypeOf<{ columns: { id: string; count: number; cards: { id: string }[] }[] }>().toExtend<
      UpdateOf<typeof board>
    >();
    expectTypeOf<{ columns: { cards: { id: string }[] }[] }>().not.toExtend<UpdateOf<typeof board>>();
  });

  it("make a switch over all operations exhaustive", () => {
    const name = (operation: OperationOf<typeof board>): string => {
      switch (operation.type) {
        case "move":
          return operation.cardId;
        case "clear":
          return operation.id;
        default:
          return operation satisfies never;
      }
    };
    expectTypeOf(name).returns.toEqualTypeOf<string>();
  });

  it("refuse what is not an operation", () => {
    // @ts-expect-error a move needs its card
    board.reduce(null, { type: "move" });
    // @ts-expect-error there is no such operation
    void board.op.fly;
    board.reduce(null, board.op.clear({ id: "a" }));
  });
});
