// The official client's fold, kept running: it takes events when they come, and answers each that
// changed something with a whole copy.

import {
  type AbstractAgent,
  type AgentStateMutation,
  defaultApplyEvents,
  enforceEvents,
  transformChunks,
} from "@ag-ui/client";
import type { BaseEvent, Message, RunAgentInput } from "@ag-ui/core";
import { Subject } from "rxjs";
import { RUN, type StreamEvent } from "./chats.ts";

export interface OfficialStart {
  readonly messages: readonly Message[];
  readonly state: unknown;
}

export interface OfficialFold {
  /** Resolves when all of them are folded. Each must change something. */
  push(events: readonly StreamEvent[]): Promise<void>;
  /** Ends the stream after these; resolves to the last messages and state. */
  end(events?: readonly StreamEvent[]): Promise<OfficialStart>;
}

/**
 * Which of the client's stages run: its fold alone, or what comes before it too and `chatReducer`
 * has as well, checks and chunks.
 */
export type Stages = "fold" | "checks, chunks and fold";

export function officialFold({ messages, state }: OfficialStart, stages: Stages): OfficialFold {
  const events = new Subject<BaseEvent>();
  // Of an agent it reads the messages, and writes what waits for an answer.
  const agent = { messages: structuredClone(messages), pendingInterrupts: [] } as unknown as AbstractAgent;
  const input: RunAgentInput = { ...RUN, messages: [], tools: [], context: [], state };
  let last: OfficialStart = { messages, state };
  let missing = 0;
  let resolvePush = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    const folded = stages === "fold" ? events : events.pipe(enforceEvents(), transformChunks());
    defaultApplyEvents(input, folded, agent, []).subscribe({
      next(mutation: AgentStateMutation) {
        last = { messages: mutation.messages ?? last.messages, state: mutation.state ?? last.state };
        missing -= 1;
        if (missing === 0) resolvePush();
      },
      error: reject,
      complete: resolve,
    });
  });

  function feed(given: readonly StreamEvent[]): void {
    for (const event of given) events.next(event as unknown as BaseEvent);
  }

  return {
    push(given) {
      missing = given.length;
      if (missing === 0) return Promise.resolve();
      return new Promise((resolve) => {
        resolvePush = resolve;
        feed(given);
      });
    },
    async end(given = []) {
      feed(given);
      events.complete();
      await ended;
      return last;
    },
  };
}
