// A board that stands before the conversation: the offline model knows it as it is now.

import type { BaseMessage } from "@langchain/core/messages";
import { type Board, board, boardFrom } from "@opstate/kanban-domain";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { AIMessage, createAgent, fakeModel } from "langchain";
import { describe, expect, it } from "vitest";
import { readConversation } from "../../src/offline-model/conversation.ts";
import { ada, ask, boardThread, short } from "../support/board-run.ts";

function boardOf(cards: number): Board {
  return boardFrom({
    columns: ["Backlog", "Done"].map((title, c) => ({
      title,
      cards: Array.from({ length: cards / 2 }, (_, i) => ({
        cardId: `T-${c}${1000 + i}`,
        title: `Card ${i} of ${title}`,
        priority: 2 as const,
      })),
    })),
  });
}

/** What each call was shown while the agent moved, edited and added cards, and Ada did too. */
async function calls(cards: number): Promise<{ readonly all: readonly BaseMessage[][]; readonly board: Board | null }> {
  const thread = await boardThread(boardOf(cards));
  const step = (name: string, args: object, id: string) =>
    new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id, name, args: { ...args } }] });
  const model = fakeModel()
    .respond(() => {
      void thread.dispatch(board.op.editCard({ cardId: "T-01001", title: "By Ada; added /x = 1" }), { actor: ada });
      return step("move", { cardId: "T-01000", fromColumn: "backlog", toColumn: "done" }, "a");
    })
    .respond(() => {
      void thread.dispatch(board.op.move({ cardId: "T-11002", fromColumn: "done", toColumn: "backlog" }), {
        actor: ada,
      });
      return step("editCard", { cardId: "T-11001", title: "By the agent" }, "b");
    })
    .respond(new AIMessage("Done."));
  const agent = createAgent({
    model,
    tools: operationTools(board, { thread }),
    middleware: [opstateMiddleware(board, { thread })],
  });
  await agent.invoke({ messages: "Tidy up" });
  return { all: model.calls.map(({ messages }) => messages), board: thread.getState() };
}

describe("the offline model", () => {
  it("reads a board that is shown whole before the conversation, with all changes since", async () => {
    const { all, board: now } = await calls(100);
    const last = readConversation(all.at(-1) ?? []);
    expect(last.board).toEqual(now);
    expect(last.request).toBe("Tidy up");
    expect(last.news).toEqual([expect.stringContaining("T-11002")]);
  });

  it("reads what is shown of a board that is cut", async () => {
    const { all, board: now } = await calls(4000);
    const { board: shown } = readConversation(all.at(-1) ?? []);
    const cards = new Map(now?.columns.flatMap((column) => column.cards.map((card) => [card.cardId, card])));
    const found = shown?.columns.flatMap((column) => column.cards) ?? [];
    expect(found.length).toBeGreaterThan(100);
    for (const card of found) expect(cards.get(card.cardId)).toEqual(card);
    expect(shown?.columns.map(({ cardCount }) => cardCount)).toEqual(now?.columns.map(({ cardCount }) => cardCount));
  });

  it("moves a card of it", async () => {
    const thread = await boardThread(boardOf(100));
    await ask(thread, "move T-01004 to Done");
    expect(short(thread.getState())[1]).toContain("T-01004");
  });
});
