// Events as an SSE response, made no faster than they are read; when the reader leaves, or the run
// is aborted, they end.

const encoder = new TextEncoder();

export interface Abortable {
  readonly signal: AbortSignal;
  abort(): void;
}

export function eventResponse(
  events: AsyncGenerator<unknown, void>,
  { signal, abort }: Abortable,
  headers: Record<string, string>,
): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // A run that nobody reads on waits in a yield, and has to be let go there.
      signal.addEventListener("abort", () => void events.return().then(() => closeOnce(controller)), { once: true });
    },
    async pull(controller) {
      const { done, value } = await events.next();
      if (done === true) closeOnce(controller);
      else controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`));
    },
    cancel: abort,
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", ...headers },
  });
}

/**
 * The end of the events and the abort may both come to it, and a reader that left has closed it
 * already.
 */
function closeOnce(controller: ReadableStreamDefaultController): void {
  try {
    controller.close();
  } catch {
    // Closed.
  }
}
