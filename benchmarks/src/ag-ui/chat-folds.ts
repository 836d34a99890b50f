// The cost of one event of a stream: our fold and the official client's, each of which gives a new
// value after every event.

import { type ChatMessage, chatReducer, initialChatState } from "@opstate/ag-ui";
import { type ChatArgs, makeAgentState, makeHistory, makeStream } from "./chats.ts";
import type { Run } from "../harness/measure.ts";
import { officialFold, type OfficialStart, type Stages } from "./official-client.ts";

/** The rows of the budgets. */
export const FOLD = {
  opstate: "**opstate** `chatReducer`",
  official: "@ag-ui/client 1.0, its fold alone",
  checked: "@ag-ui/client 1.0, checks and chunks before its fold, as `chatReducer` has",
} as const;

export const candidates = {
  [FOLD.opstate]: opstate,
  [FOLD.official]: (args: ChatArgs) => official(args, "fold"),
  [FOLD.checked]: (args: ChatArgs) => official(args, "checks, chunks and fold"),
};

function startOf({ streamed, size }: ChatArgs): OfficialStart {
  return streamed === "state"
    ? { messages: [], state: makeAgentState(size) }
    : { messages: makeHistory(size), state: {} };
}

function opstate(args: ChatArgs): Run {
  const { messages, state } = startOf(args);
  const { opening, deltas } = makeStream(args);
  const history = messages.map((message) => ({ ...message, status: "complete" }) as ChatMessage);
  const start = opening.reduce(chatReducer, initialChatState({ messages: history, state }));
  let chat = start;
  let next = 0;
  return (count) => {
    for (let i = 0; i < count; i++) {
      if (next === deltas.length) {
        chat = start;
        next = 0;
      }
      chat = chatReducer(chat, deltas[next]);
      next += 1;
    }
    if (chat.error !== undefined || chat.conflicts.length > 0 || chat.warnings.length > 0)
      throw new Error("an event was not folded");
  };
}

/**
 * The official client gives no answer to an event that changes nothing. The start of a run is one,
 * so it is left out.
 */
async function official(args: ChatArgs, stages: Stages): Promise<Run> {
  const { opening, deltas } = makeStream(args);
  const begin = async () => {
    const fold = officialFold(startOf(args), stages);
    await fold.push(opening.slice(1));
    return fold;
  };
  let fold = await begin();
  let next = 0;
  return async (count) => {
    for (let left = count; left > 0;) {
      if (next === deltas.length) {
        await fold.end();
        fold = await begin();
        next = 0;
      }
      const part = deltas.slice(next, next + left);
      await fold.push(part);
      next += part.length;
      left -= part.length;
    }
  };
}
