// An agent with the offline model on a thread in memory, and what a test wants to know of a run.

import { type BaseMessage, AIMessage, HumanMessage } from "@langchain/core/messages";
import { type Actor, memoryLog, openThread, type Thread } from "@opstate/core";
import { type Board, board, sampleBoard } from "@opstate/kanban-domain";
import { createKanbanAgent } from "../../src/agent.ts";
import { OfflineModel } from "../../src/offline-model/offline-model.ts";

export const ada: Actor = { kind: "user", id: "ada" };

const agent = createKanbanAgent({ model: new OfflineModel({ delayMs: 0 }) });

let threads = 0;
export async function boardThread(state: Board | null = sampleBoard) {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: `test-${(threads += 1)}` });
  if (state !== null)
    await thread.dispatch({ type: "$replace", value: state }, { actor: { kind: "system", id: "test" } });
  return thread;
}

/** The messages that a request led to. */
export async function ask(
  thread: Thread<typeof board>,
  request: string,
  { askFirst = false }: { askFirst?: boolean } = {},
): Promise<readonly BaseMessage[]> {
  const config = { configurable: { thread_id: thread.threadId, opstate: { thread }, askFirst } };
  const { messages } = await agent.invoke({ messages: [new HumanMessage(request)] }, config);
  return messages.slice(messages.findLastIndex((message) => HumanMessage.isInstance(message)) + 1);
}

/** What the agent said, message by message. */
export const said = (messages: readonly BaseMessage[]): readonly string[] =>
  messages.filter((message) => AIMessage.isInstance(message)).map((message) => message.text);

/** How many tools each of its messages called. */
export const called = (messages: readonly BaseMessage[]): readonly number[] =>
  messages.filter((message) => AIMessage.isInstance(message)).map((message) => message.tool_calls?.length ?? 0);

/** "backlog: T-42 T-1" for each column. A card that was added is shown by its title: "'Milk'". */
export const short = (state: Board | null): readonly string[] =>
  (state?.columns ?? []).map((column) =>
    `${column.columnId}: ${column.cards.map(({ cardId, title }) => (ADDED.test(cardId) ? `'${title}'` : cardId)).join(" ")}`.trim(),
  );

const ADDED = /^T-[0-9a-hjkmnp-tv-z]{10}$/;

/**
 * The thread, with something done around each of the agent's submissions: before it is taken, or
 * after its verdict.
 */
export function interrupted(
  thread: Thread<typeof board>,
  around: { before?: (nth: number) => Promise<unknown>; after?: (nth: number) => Promise<unknown> },
): Thread<typeof board> {
  let nth = 0;
  return new Proxy(thread, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (key !== "submit") return value;
      const submit: Thread<typeof board>["submit"] = async (update, options) => {
        nth += 1;
        await around.before?.(nth);
        const verdict = await target.submit(update, options);
        await around.after?.(nth);
        return verdict;
      };
      return submit;
    },
  });
}
