// How much of a model call's prompt the next call can take from the provider's cache: the longest
// common beginning of tools, system message and messages, in this order. Nothing is timed: the
// numbers are the same in every run.

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { memoryLog, openThread } from "@opstate/core";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent, createMiddleware, fakeModel } from "langchain";
import { cardsHead } from "../boards/boards.ts";
import { makeCards } from "./checkpoints.ts";
import { ada, renameBoard } from "../boards/rename-board.ts";
import { columnsOf, type Table } from "../harness/results.ts";

/** Rows that budgets speak of. */
export const PLACE = {
  auto: "**opstate**: a large state before the conversation, changes at the end",
  end: 'the state at the end of each call, `place: "end"`',
  system: 'the state in the system message, `place: "system"`',
} as const;
export const ONE_EDIT = "**opstate**: one edit by another";

const MESSAGES = 60;
const CHARACTERS = 500;
const STEPS = 20;
const SIZES = [10, 100, 1_000, 10_000];
const COLUMNS = 5;
const CHARACTERS_PER_TOKEN = 4;

const BEFORE = `${MESSAGES} messages of ${CHARACTERS} characters before ${STEPS} steps that change the state`;
export const PROMPTS = `Share of a prompt that the next call can reuse, ${BEFORE}`;
export const PROMPTS_OTHERS = "The same, when another person changes a card during each step too";
export const LENGTHS = "Length of a prompt, in tokens of 4 characters, in the same steps";
export const LENGTHS_OTHERS = "Length of a prompt when another person changes a card during each step too";
export const EDITS = "What an edit by another person adds to the next prompt, in tokens of 4 characters";

const systemPrompt =
  "You look after a board that people edit at the same time as you. Answer in a few plain sentences.";

type Shown = keyof typeof PLACE;

export async function promptTables(): Promise<readonly Table[]> {
  const places: readonly Shown[] = ["auto", "end", "system"];
  const measured = async (others: boolean) => {
    const [shares, lengths]: [Record<string, Record<string, number>>, Record<string, Record<string, number>>] = [
      {},
      {},
    ];
    for (const cards of SIZES) {
      for (const place of places) {
        const prompts = await promptsOf({ cards, place, edits: others ? STEPS : 0 });
        (shares[cardsHead(cards)] ??= {})[PLACE[place]] = reusable(prompts);
        (lengths[cardsHead(cards)] ??= {})[PLACE[place]] = tokensOf(prompts);
      }
    }
    return { shares, lengths };
  };
  const [own, others] = [await measured(false), await measured(true)];
  const edit = await columnsOf(SIZES, cardsHead, async (cards) => {
    const [without, with_] = [
      await promptsOf({ cards, place: "auto", edits: 0 }),
      await promptsOf({ cards, place: "auto", edits: 1 }),
    ];
    const added = (with_[1]?.length ?? Number.NaN) - (without[1]?.length ?? Number.NaN);
    return { [ONE_EDIT]: added / CHARACTERS_PER_TOKEN };
  });
  return [
    { title: PROMPTS, unit: "%", columns: own.shares },
    { title: PROMPTS_OTHERS, unit: "%", columns: others.shares },
    { title: LENGTHS, unit: "tokens", columns: own.lengths },
    { title: LENGTHS_OTHERS, unit: "tokens", columns: others.lengths },
    { title: EDITS, unit: "tokens", columns: edit },
  ];
}

/**
 * The prompts of all calls of a run. Ada edits another card during each of the first `edits` steps.
 */
async function promptsOf({
  cards,
  place,
  edits,
}: {
  readonly cards: number;
  readonly place: Shown;
  readonly edits: number;
}): Promise<readonly string[]> {
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
  for (let step = 0; step < STEPS; step++)
    model.respond(() => {
      if (step < edits) void thread.dispatch(editOf(step, cards), { actor: ada });
      return renaming(step);
    });
  const agent = createAgent({
    model: model.respond(new AIMessage("Done.")),
    systemPrompt,
    tools: operationTools(renameBoard, { thread }),
    middleware: [opstateMiddleware(renameBoard, { thread, place }), watch],
  });
  await agent.invoke({ messages: conversation() }, { recursionLimit: 10 * STEPS });
  return prompts;
}

/** The mean over the steps, in percent. */
function reusable(prompts: readonly string[]): number {
  const shares = prompts
    .slice(1)
    .map((prompt, index) => commonLength(prompts[index] ?? "", prompt) / (prompts[index]?.length ?? 1));
  return (100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length;
}

/** The mean length. */
function tokensOf(prompts: readonly string[]): number {
  return prompts.reduce((sum, { length }) => sum + length, 0) / prompts.length / CHARACTERS_PER_TOKEN;
}

/** A card of the same column as the agent's, but for the first one another card each time. */
function editOf(step: number, cards: number) {
  const perColumn = cards / COLUMNS;
  return renameBoard.op.rename({
    column: step % COLUMNS,
    card: 1 + (step % (perColumn - 1)),
    title: `Title ${step} by Ada, for the card`,
  });
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
