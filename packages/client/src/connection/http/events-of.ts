// Reads a response of server-sent events. What arrived together is given together, so that a
// replica rebases once for many commits.

import { EventParser, type EventParserOptions } from "./event-parser.ts";

export interface EventsOptions extends EventParserOptions {
  /** Called for everything that arrives, comments included. */
  readonly onActivity?: () => void;
}

/** Turns of the microtask queue in which a read of what has arrived resolves. */
const TURNS = 12;

/** The data of the events. Ends with the body; throws when the connection breaks. */
export async function* eventsOf(
  response: Response,
  { onActivity, ...options }: EventsOptions = {},
): AsyncGenerator<readonly string[], void, undefined> {
  if (!response.body) return;
  const parser = new EventParser(options);
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    let next = reader.read();
    for (;;) {
      const events: string[] = [];
      let result: Awaited<typeof next> | undefined = await next;
      while (result !== undefined && !result.done) {
        onActivity?.();
        events.push(...parser.feed(decoder.decode(result.value, { stream: true })));
        next = reader.read();
        // A rejection is thrown by the next `await`.
        next.catch(() => undefined);
        result = await Promise.race([next.catch(() => undefined), turns()]);
      }
      if (events.length > 0) yield events;
      if (result?.done === true) return;
    }
  } finally {
    // Not waited for: a broken connection may not answer.
    reader.cancel().catch(() => undefined);
  }
}

async function turns(): Promise<undefined> {
  for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
  return undefined;
}
