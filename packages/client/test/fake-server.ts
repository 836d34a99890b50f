// A server as the wire describes it, told by the test what to answer.

export interface SentRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  /** Of submissions, their list. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  readonly body: any;
  /** As whom submissions were sent. */
  readonly as?: unknown;
  readonly init: RequestInit;
}

export type Answer = (request: SentRequest) => Response | Promise<Response>;

/** Requests in their order, answered by the test's function. */
export function fakeServer(answer: Answer): { readonly requests: SentRequest[]; readonly fetch: typeof fetch } {
  const requests: SentRequest[] = [];
  return {
    requests,
    async fetch(input, init = {}) {
      init.signal?.throwIfAborted();
      const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
      const request = {
        path: new URL(input instanceof Request ? input.url : input, "http://server").pathname,
        method: init.method ?? "GET",
        headers: init.headers as Record<string, string>,
        body: body?.submissions ?? body,
        as: body?.as,
        init,
      };
      requests.push(request);
      return answer(request);
    },
  };
}

export interface OpenStream {
  readonly response: Response;
  send(...messages: readonly object[]): void;
  text(text: string): void;
  end(): void;
}

/** A stream of events that the test writes. It breaks with the request's signal. */
export function stream(signal?: AbortSignal | null): OpenStream {
  const encoder = new TextEncoder();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  signal?.addEventListener("abort", () => controller.error(signal.reason));
  const text = (chunk: string): void => controller.enqueue(encoder.encode(chunk));
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
    text,
    send: (...messages) => text(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join("")),
    end: () => controller.close(),
  };
}

export const hello = { type: "hello", stream: "s-1", actor: { kind: "user", id: "ada" } };
export const welcome = (thread: string) => ({ thread, type: "welcome", actor: hello.actor, incarnation: "i" });
export const snapshot = (thread: string, count = 0, version = 0) => ({
  thread,
  type: "snapshot",
  snapshot: { version, state: { count, names: [] } },
});

export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ status, code, detail: `This is ${code}.` }, { status, headers });
}
