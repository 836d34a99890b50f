// The official client's fold, kept running: it gets events one by one, and answers each that
// changes something with a copy of everything.

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
  /** Folds the events; resolves at the end. Each must change something. */
  push(events: readonly StreamEvent[]): Promise<void>;
  /** Ends the stream after these events; resolves to the last messages and state. */
  end(events?: readonly StreamEvent[]): Promise<OfficialStart>;
}

/**
 * Which of the client's stages run: its fold alone, or also the stages that `chatReducer` includes.
 */
export type Stages = "fold" | "checks, chunks and fold";

export function officialFold({ messages, state }: OfficialStart, stages: Stages): OfficialFold {
  const events = new Subject<BaseEvent>();
  // The fold reads the agent's messages and writes its interrupts: it needs no more of an agent.
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
