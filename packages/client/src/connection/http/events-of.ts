// Reads a response of server-sent events. What arrived together is given together, so that a
// replica rebases once for many commits.

import { type EventSourceMessage, EventSourceParserStream } from "eventsource-parser/stream";

export interface EventsOptions {
  /** Called for everything that arrives, comments included. */
  readonly onActivity?: () => void;
  readonly onComment?: () => void;
  /** Milliseconds that the server asks to wait for before the next connection. */
  readonly onRetry?: (milliseconds: number) => void;
}

/** Turns of the microtask queue in which a read of what has arrived resolves. */
const TURNS = 12;

/** Ends with the body; throws when the connection breaks. */
export async function* eventsOf(
  response: Response,
  { onActivity, onComment, onRetry }: EventsOptions = {},
): AsyncGenerator<readonly EventSourceMessage[], void, undefined> {
  if (!response.body) return;
  const parser = new EventSourceParserStream({
    onComment() {
      onActivity?.();
      onComment?.();
    },
    onRetry(milliseconds) {
      onActivity?.();
      onRetry?.(milliseconds);
    },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(parser).getReader();
  try {
    let next = reader.read();
    for (;;) {
      const events: EventSourceMessage[] = [];
      let result: Awaited<typeof next> | undefined = await next;
      while (result !== undefined && !result.done) {
        events.push(result.value);
        next = reader.read();
        // A rejection is thrown by the next `await`.
        next.catch(() => undefined);
        result = await Promise.race([next.catch(() => undefined), turns()]);
      }
      onActivity?.();
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
