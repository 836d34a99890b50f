// How much of a model call's prompt the next call can take from the provider's cache: the longest
// common beginning of tools, system message and messages, in this order. Nothing is timed: the
// numbers are the same in every run.

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { memoryLog, openThread } from "@opstate/core";
import { operationTools, opstateMiddleware, type Place } from "@opstate/langgraph";
import { createAgent, createMiddleware, fakeModel } from "langchain";
import { cardsHead } from "../boards/boards.ts";
import { makeCards } from "./checkpoints.ts";
import { renameBoard } from "../boards/rename-board.ts";
import { columnsOf, type Table } from "../harness/results.ts";

/** Rows that budgets speak of. */
export const PLACE = {
  end: "**opstate**: the state as the last message of the call",
  system: 'the state in the system message, `place: "system"`',
} as const;

const MESSAGES = 60;
const CHARACTERS = 500;
const STEPS = 20;

export const PROMPTS = `Share of a prompt that the next call can reuse, ${MESSAGES} messages of ${CHARACTERS} characters before ${STEPS} steps that change the state`;
const COLUMNS = 5;

const systemPrompt =
  "You look after a board that people edit at the same time as you. Answer in a few plain sentences.";

export async function promptTables(): Promise<readonly Table[]> {
  const columns = await columnsOf([10, 100, 1_000], cardsHead, async (cards) => ({
    [PLACE.end]: await reusable(cards, "end"),
    [PLACE.system]: await reusable(cards, "system"),
  }));
  return [{ title: PROMPTS, unit: "%", columns }];
}

/** The mean over the steps, in percent. */
async function reusable(cards: number, place: Place): Promise<number> {
  const thread = await openThread({ definition: renameBoard, log: memoryLog(), threadId: "board" });
  await thread.dispatch({ type: "$replace", value: makeCards(cards) }, { actor: { kind: "system", id: "bench" } });
  const prompts: string[] = [];
  const watch = createMiddleware({
    name: "watch",
    wrapModelCall(request, handler) {
      const tools = request.tools.map((tool) =>
        JSON.stringify(convertToOpenAITool(tool as Parameters<typeof convertToOpenAITool>[0])),
      );
      prompts.push([...tools, request.systemMessage.text, ...request.messages.map(sent)].join("\n"));
      return handler(request);
    },
  });
  const model = fakeModel();
  for (let step = 0; step < STEPS; step++) model.respond(renaming(step));
  const agent = createAgent({
    model: model.respond(new AIMessage("Done.")),
    systemPrompt,
    tools: operationTools(renameBoard, { thread }),
    middleware: [opstateMiddleware(renameBoard, { thread, place }), watch],
  });
  await agent.invoke({ messages: conversation() }, { recursionLimit: 10 * STEPS });
  const shares = prompts
    .slice(1)
    .map((prompt, index) => commonLength(prompts[index] ?? "", prompt) / (prompts[index]?.length ?? 1));
  return (100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length;
}

/** What people and the agent said before. */
function conversation(): BaseMessage[] {
  return Array.from({ length: MESSAGES }, (_, index) => {
    const text =
      `Message ${index}: the title of a card should say what is to be done, for whom, and until when. `.repeat(
        CHARACTERS,
      );
    return index % 2 === 0 ? new HumanMessage(text.slice(0, CHARACTERS)) : new AIMessage(text.slice(0, CHARACTERS));
  });
}

function renaming(step: number): AIMessage {
  const args = { column: step % COLUMNS, card: 0, title: `Title ${step} of the card` };
  return new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id: `call-${step}`, name: "rename", args }] });
}

/** A message as a provider gets it: ids of messages are not sent. */
function sent(message: BaseMessage): string {
  const calls = AIMessage.isInstance(message) ? message.tool_calls : undefined;
  const answers = ToolMessage.isInstance(message) ? message.tool_call_id : undefined;
  return JSON.stringify({ role: message.type, content: message.content, calls, answers });
}

function commonLength(before: string, after: string): number {
  let length = 0;
  while (length < before.length && before[length] === after[length]) length += 1;
  return length;
}
