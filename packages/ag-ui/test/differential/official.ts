// The official client's own stages over a sequence of events: what each lets through, where it
// stops, and what it folds.

import { type AbstractAgent, defaultApplyEvents, enforceEvents, transformChunks, verifyEvents } from "@ag-ui/client";
import type { Message } from "@ag-ui/core";
import { from, lastValueFrom, type Observable, Subject } from "rxjs";
import { toArray } from "rxjs/operators";

/** The client's own type of an event. */
export type OfficialEvent =
  Parameters<ReturnType<typeof enforceEvents>>[0] extends Observable<infer Event> ? Event : never;

export interface Folded {
  readonly messages: readonly Message[];
  readonly state: unknown;
}

export interface Passed {
  /** What each given event became, up to the one that failed. */
  readonly events: readonly (readonly OfficialEvent[])[];
  /** The position of the event that the client stops at, with an error. */
  readonly failedAt?: number;
  readonly message?: string;
}

/** The stages before the fold: enforcement, chunks, order. */
export function officialStages(given: readonly unknown[]): Passed {
  const source = new Subject<OfficialEvent>();
  const events: OfficialEvent[][] = [];
  let message: string | undefined;
  const subscription = source.pipe(enforceEvents(), transformChunks(), verifyEvents()).subscribe({
    next: (event) => events.at(-1)?.push(event),
    error: (error: unknown) => (message = String(error)),
  });
  for (const [position, event] of given.entries()) {
    events.push([]);
    source.next(event as OfficialEvent);
    if (message !== undefined) return { events, failedAt: position, message };
  }
  subscription.unsubscribe();
  return { events };
}

/** The fold: messages and state before each event, and after the last. */
export async function officialFold(events: OfficialEvent[], start: Folded): Promise<Folded[]> {
  const seen: Folded[] = [];
  const agent = { messages: structuredClone(start.messages), pendingInterrupts: [] } as unknown as AbstractAgent;
  const input = {
    threadId: "t",
    runId: "r",
    messages: [],
    tools: [],
    context: [],
    state: structuredClone(start.state),
  };
  const subscriber = {
    onEvent({ messages, state }: { readonly messages: readonly Message[]; readonly state: unknown }) {
      seen.push(structuredClone({ messages, state }));
    },
  };
  // The client writes to messages that it takes from an event. One event more shows what the last
  // one came to.
  const own = [...structuredClone(events), { type: "RAW", event: "end" } as unknown as OfficialEvent];
  await lastValueFrom(defaultApplyEvents(input, from(own), agent, [subscriber]).pipe(toArray()));
  return seen;
}
