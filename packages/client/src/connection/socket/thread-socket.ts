// One session over a WebSocket: a stream, and the requests that belong to it, as `fetch` gives
// them. So whoever sends them notices no difference.
//
//   POST /events          -> opens the socket; the response is the stream
//   POST /events/:stream, /operations, /presence -> a call over the open socket
//
// Invariants:
// - A socket is one session's. When it is closed, its stream and all of its calls end.
// - Credentials are in the first message, or a cookie: none is in an address.

/** Milliseconds. The server answers without being woken. */
const PING_PACE = 15_000;

interface Waiting {
  resolve(response: Response): void;
  reject(error: Error): void;
}

interface Answer {
  readonly call: number;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export class ThreadSocket {
  readonly #socket: WebSocket;
  readonly #calls = new Map<number, Waiting>();
  #ping: ReturnType<typeof setTimeout> | undefined;
  #calledTimes = 0;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** From the beginning: a host may give the answer of the first call and events in one turn. */
  readonly #body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      this.#stream = controller;
    },
    cancel: () => this.#socket.close(),
  });

  constructor(address: string, signal: AbortSignal | undefined) {
    const socket = new WebSocket(address);
    this.#socket = socket;
    const abort = (): void => {
      this.#end((stream) => stream.error(signal?.reason));
      socket.close();
    };
    signal?.addEventListener("abort", abort);
    this.#pingLater();
    socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
    socket.addEventListener("close", () => {
      signal?.removeEventListener("abort", abort);
      this.#end((stream) => stream.close());
    });
  }

  /** Resolves to the response of the stream. Rejects with a TypeError when there is none. */
  async open(headers: Headers, body: string): Promise<Response> {
    await new Promise<void>((resolve) => {
      this.#socket.addEventListener("open", () => resolve());
      this.#socket.addEventListener("close", () => resolve());
    });
    const response = await this.call("/events", body, headers);
    if (response.ok) return new Response(this.#body, response);
    this.#socket.close();
    return response;
  }

  /** Rejects with a TypeError when the socket is closed before the answer. */
  call(path: string, body: string, headers?: Headers): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.#socket.readyState !== WebSocket.OPEN) return reject(lost());
      const call = this.#calledTimes++;
      this.#calls.set(call, { resolve, reject });
      const head = JSON.stringify({ call, path, headers: headers && Object.fromEntries(headers) });
      this.#send(`${head.slice(0, -1)},"body":${body}}`);
    });
  }

  /** Behind each message: browsers slow down a timer of a hidden page that calls itself again. */
  #pingLater(): void {
    clearTimeout(this.#ping);
    this.#ping = setTimeout(() => this.#send("ping"), PING_PACE);
  }

  #receive(text: string): void {
    this.#pingLater();
    // Nothing but that the server is there.
    if (text === "pong") return this.#pass("\n");
    if (!text.startsWith("{")) return this.#pass(text);
    const { call, status, headers, body } = JSON.parse(text) as Answer;
    const waiting = this.#calls.get(call);
    this.#calls.delete(call);
    const init = { status, ...(headers && { headers }) };
    waiting?.resolve(new Response(body === undefined ? null : JSON.stringify(body), init));
  }

  #pass(text: string): void {
    this.#stream?.enqueue(new TextEncoder().encode(text));
  }

  #send(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  #end(endStream: (stream: ReadableStreamDefaultController<Uint8Array>) => void): void {
    clearTimeout(this.#ping);
    for (const { reject } of this.#calls.values()) reject(lost());
    this.#calls.clear();
    const stream = this.#stream;
    this.#stream = undefined;
    try {
      if (stream) endStream(stream);
    } catch {
      // Its reader has cancelled it.
    }
  }
}

export function lost(): TypeError {
  return new TypeError("The socket was closed.");
}
