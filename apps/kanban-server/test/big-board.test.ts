// The agent on the board of ten thousand cards, over HTTP: it finds a card that it is not shown.

import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type Board, findCard } from "@opstate/kanban-domain";
import { AIMessage, fakeModel } from "langchain";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isLong } from "../../../tools/runs.ts";
import { bigBoard } from "../src/big-board.ts";
import { type DemoServer, demoServer } from "./support/demo-server.ts";

vi.setConfig({ testTimeout: 120_000 });

/** The ends of the board in a short run. */
const PLACES = isLong() ? ["T-1", "T-31", "T-2999", "T-4567", "T-6001", "T-7777"] : ["T-31", "T-7777"];

/** The big board with one card about invoices. */
function boardWithInvoices(cardId: string): Board {
  const { columns } = bigBoard();
  return {
    columns: columns.map((column) => ({
      ...column,
      cards: column.cards.map((card) =>
        card.cardId === cardId ? { ...card, title: "Send the INVOICES to Zoë" } : card,
      ),
    })),
  };
}

const resultOf = (messages: readonly BaseMessage[], name: string): string =>
  messages.findLast((message) => ToolMessage.isInstance(message) && message.name === name)?.text ?? "";

/** A model that looks for the card and moves what it found. It knows nothing else of the board. */
const findAndMove = () =>
  fakeModel()
    .respondWithTools([{ name: "board_find", args: { text: "invoices" }, id: "call_find" }])
    .respond((messages) => {
      const [, cardId] = /: (T-\d+) "Send the INVOICES to Zoë", in \S+ "/.exec(resultOf(messages, "board_find")) ?? [];
      const args = { cardId, toColumn: "done" };
      return new AIMessage({
        id: "m-2",
        content: "",
        tool_calls: [{ type: "tool_call", name: "move", args, id: "call_move" }],
      });
    })
    .respond((messages) => new AIMessage(resultOf(messages, "move").split(".", 1)[0] ?? ""));

describe("move the card about invoices to Done, with a scripted model", () => {
  test.each(PLACES)("where it is %s", async (cardId) => {
    const model = findAndMove();
    const server = await demoServer(model);
    try {
      const chat = await server.chat(boardWithInvoices(cardId));
      expect(await chat.ask("move the card about invoices to Done")).toBe("Accepted: board is now at version 2");
      const after = (await chat.board())!;
      expect(findCard(after, cardId)?.column.columnId).toBe("done");
      expect(after.columns.reduce((sum, { cards }) => sum + cards.length, 0)).toBe(10_000);
      const found = resultOf(model.calls[1]!.messages, "board_find");
      expect(found.length).toBeLessThan(200);
    } finally {
      await server.close();
    }
  });
});

describe("with the offline model", () => {
  let server: DemoServer;
  beforeAll(async () => {
    server = await demoServer();
  });
  afterAll(() => server.close());

  const moved = async (request: string, board: Board) => {
    const chat = await server.chat(board);
    return { answer: await chat.ask(request), after: (await chat.board())! };
  };

  test.each(PLACES.slice(-3))("the card about invoices is found and moved, where it is %s", async (id) => {
    const { answer, after } = await moved("move the card about invoices to Done", boardWithInvoices(id));
    expect(answer).toBe(`Moved 'Send the INVOICES to Zoë' (${id}) to Done.`);
    expect(findCard(after, id)?.column.columnId).toBe("done");
  });

  test("a card that is named by its id, or by its title, is found", async () => {
    const board = boardWithInvoices("T-4567");
    expect((await moved("move T-4567 to Review", board)).after.columns[3]?.cards.at(-1)?.cardId).toBe("T-4567");
    const { after } = await moved("rename 'Send the INVOICES to Zoë' to 'Invoices sent'", board);
    expect(JSON.stringify(after)).toContain(`"T-4567","title":"Invoices sent"`);
  });

  test("nothing is done where no card, or more than one, is named", async () => {
    const none = await moved("move the card about zebras to Done", bigBoard());
    expect(none.answer).toContain("There is no card about 'zebras'.");
    const board = boardWithInvoices("T-4567");
    const [first, ...rest] = board.columns;
    const [card, ...cards] = first!.cards;
    const two = { columns: [{ ...first!, cards: [{ ...card!, title: "More invoices" }, ...cards] }, ...rest] };
    const several = await moved("move the card about invoices to Done", two);
    expect(several.answer).toMatch(/^Several cards are about 'invoices': .*\(T-4567\).*Say which one\./);
    expect(several.after).toEqual(two);
  });
});
