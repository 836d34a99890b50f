// Reads server-sent events step by step, as bytes and as events.

import { createParser, type EventSourceMessage } from "eventsource-parser";
import { onTestFinished } from "vitest";
import { ada } from "./server.ts";

export interface EventReader {
  readonly response: Response;
  /** The next event. */
  next(): Promise<EventSourceMessage>;
  /** The events up to the one with this id. */
  until(id: number): Promise<EventSourceMessage[]>;
  /** Resolves when the stream has ended or broken. */
  ended(): Promise<void>;
  /** All text so far. */
  text(): string;
  close(): void;
}

export async function readEvents(url: string, headers: Record<string, string> = ada): Promise<EventReader> {
  return readStream(url, { headers });
}

/** Sends a request, and reads the events of its response. */
export async function readStream(url: string, init: RequestInit): Promise<EventReader> {
  const aborter = new AbortController();
  const response = await fetch(url, { ...init, signal: aborter.signal });
  onTestFinished(() => aborter.abort());
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  let text = "";

  async function pull(): Promise<boolean> {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return false;
    const part = decoder.decode(chunk.value, { stream: true });
    text += part;
    parser.feed(part);
    return true;
  }

  async function next(): Promise<EventSourceMessage> {
    for (;;) {
      const event = events.shift();
      if (event) return event;
      if (!(await pull())) throw new Error(`The stream ended after: ${text}`);
    }
  }

  return {
    response,
    next,
    async until(id) {
      const seen: EventSourceMessage[] = [];
      do seen.push(await next());
      while (seen.at(-1)?.id !== String(id));
      return seen;
    },
    async ended() {
      while (await pull().catch(() => false));
    },
    text: () => text,
    close: () => aborter.abort(),
  };
}
