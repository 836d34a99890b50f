// One run of an agent through a ChatSession, and the same events through the fold alone. The agent
// is in this process, without a network.

import { chatReducer, ChatSession, type ChatState, initialChatState } from "@opstate/ag-ui";
import { makeAgentState, RUN, type StreamEvent, textOf } from "./chats.ts";
import type { Run } from "../harness/measure.ts";

/** The rows of the budgets. */
export const SESSION = { fold: "the fold alone", session: "**opstate** `ChatSession`" } as const;

/** What one run sends. */
export type Sent = "snapshots" | "text";

export const SNAPSHOTS = { count: 60, cards: 2_000 } as const;
export const TOKENS = 2_000;

export const candidates = { [SESSION.fold]: foldAlone, [SESSION.session]: throughSession };

function eventsOf(sent: Sent): readonly StreamEvent[] {
  return [
    { type: "RUN_STARTED", ...RUN },
    ...(sent === "snapshots" ? snapshots() : textOf(TOKENS)),
    { type: "RUN_FINISHED", ...RUN },
  ];
}

/** As parsed from a stream: no two snapshots share an object. */
function snapshots(): readonly StreamEvent[] {
  return Array.from({ length: SNAPSHOTS.count }, (_, turn) => ({
    type: "STATE_SNAPSHOT",
    snapshot: { turn, board: makeAgentState(SNAPSHOTS.cards) },
  }));
}

function foldAlone(sent: Sent): Run {
  const events = eventsOf(sent);
  return (count) => {
    for (let i = 0; i < count; i++) checkFolded(events.reduce<ChatState>(chatReducer, initialChatState()));
  };
}

function throughSession(sent: Sent): Run {
  const events = eventsOf(sent);
  return async (count) => {
    for (let i = 0; i < count; i++) {
      const session = new ChatSession({
        transport: async function* () {
          yield* events;
        },
      });
      checkFolded(await session.send("Go"));
    }
  };
}

function checkFolded({ phase, conflicts, warnings }: ChatState): void {
  if (phase !== "idle" || conflicts.length > 0 || warnings.length > 0) throw new Error("an event was not folded");
}
