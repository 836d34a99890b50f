// Events as an SSE response. They are produced as fast as they are read, and end when the reader
// leaves or the run is aborted.

const ENCODER = new TextEncoder();

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
      // A run without a reader waits in a `yield`, and has to be ended there.
      signal.addEventListener("abort", () => void events.return().then(() => closeOnce(controller)), { once: true });
    },
    async pull(controller) {
      const { done, value } = await events.next();
      if (done === true) closeOnce(controller);
      else controller.enqueue(ENCODER.encode(`data: ${JSON.stringify(value)}\n\n`));
    },
    cancel: abort,
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", ...headers },
  });
}

/** The end of the events, an abort and a reader that left may all close it. */
function closeOnce(controller: ReadableStreamDefaultController): void {
  try {
    controller.close();
  } catch {
    // It was closed already.
  }
}
