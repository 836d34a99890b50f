// One page on its socket. Its calls are requests to the server of this object, and what the
// server's stream has comes as messages.
//
//   page ── { "call": 1, "path": "/operations", ... } ──> reader ── POST /operations ──> server
//        <── { "call": 1, "status": 200, ... } ──────────        <──────────────────────
//        <── event: commits ... ─────────────────────────        <── POST /events ──────
//
// Invariants:
// - Nothing is sent before the first call was let in, which is "/events" with the credentials.
// - At rest the server's stream is closed and the socket is open. What was attached reads it on:
//   the page notices nothing but that its events go on.
// - A page whose thread is another one, or which is another actor, connects again.
//
// (Long because the calls of a page, its stream and its rest share what is known of it.)

import { isObject } from "@opstate/core/json";
import { dataOf, framesOf, type ReadFrame } from "../reader/frames.ts";
import type { ObjectSocket } from "../platform.ts";
import type { Attached, ShownBody } from "./attached.ts";
import { answerText, type Call, credentialsSaidBy, hasThreads, readCall } from "./call.ts";
import { PageState } from "./page-state.ts";

/** Codes of https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const CLOSE = { invalid: 1007, refused: 1008, again: 1012 } as const;

const NO_ONE = { type: "presence", participants: [] } as const;

export interface SocketReaderOptions {
  readonly socket: ObjectSocket;
  readonly base: string;
  /** Those of the upgrade that say who sends it. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * How the pages of the object are called, by how the server calls their streams, which is new
   * after a rest. All of them get the same names.
   */
  readonly names: Map<string, string>;
  fetch(request: Request): Promise<Response>;
  /** Something was sent or received that is no heartbeat. */
  onActivity(): void;
}

export class SocketReader {
  readonly #options: SocketReaderOptions;
  readonly #page = new PageState();
  readonly #abort = new AbortController();
  /** How the server calls its stream. */
  readonly #stream: Promise<string>;
  #resolveStream: (name: string) => void = () => undefined;
  #rejectStream: (error: Error) => void = () => undefined;
  #headers: Readonly<Record<string, string>>;
  #session = "";
  #streamSession = "";
  #actor = "";
  #hasBegun = false;
  #isRefused = false;
  /** The last list of each thread, while others that read on have not shown themselves again. */
  #held: Map<string, string> | undefined;

  constructor(options: SocketReaderOptions) {
    this.#options = options;
    this.#headers = options.headers;
    this.#stream = new Promise((resolve, reject) => {
      this.#resolveStream = resolve;
      this.#rejectStream = reject;
    });
    this.#stream.catch(() => undefined);
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The page's credentials. */
  get request(): Request {
    return new Request(`${this.#options.base}/events`, { method: "POST", headers: this.#headers, body: "{}" });
  }

  /** A message of the page. Never rejects. */
  async receive(message: unknown): Promise<void> {
    const call = readCall(message);
    if (call === undefined)
      return this.#close(CLOSE.invalid, 'A message is { "call", "path", "headers"?, "body" } as JSON.');
    try {
      if (this.#hasBegun) await this.#answer(call);
      else await this.#begin(call);
    } catch {
      this.#close(CLOSE.again, "The call failed.");
    }
  }

  /** Reads on after a rest. Resolves when the others can see it again. */
  async resume({ session, actor, positions, shown }: Attached): Promise<void> {
    this.#hasBegun = true;
    this.#session = session;
    this.#actor = actor;
    this.#held = new Map();
    this.#page.resume(positions);
    try {
      const answer = await this.#post("/events", { threads: positions });
      if (!answer.ok || !answer.body) return this.#refuse(await answer.json());
      void this.#read(answer.body);
      for (const body of shown) await this.#show(body);
    } catch {
      this.#close(CLOSE.again, "It could not be read on.");
    }
  }

  /** The others that read on have shown themselves. A list that does not come is one of nobody. */
  showOthers(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    for (const thread of Object.keys(this.#page.positions))
      this.#sendPresence(held.get(thread) ?? `event: presence\ndata: ${JSON.stringify({ thread, ...NO_ONE })}`);
  }

  /** Attaches what reads it on. False: it is more than the platform keeps. */
  attach(): boolean {
    const attached: Attached = {
      base: this.#options.base,
      headers: this.#headers,
      session: this.#session,
      actor: this.#actor,
      positions: this.#page.positions,
      shown: this.#page.shown,
    };
    try {
      this.#options.socket.serializeAttachment(attached);
      return true;
    } catch {
      return false;
    }
  }

  /** Ends the server's stream. The socket stays. */
  end(): void {
    this.#abort.abort();
    this.#options.names.delete(this.#streamSession);
    this.#rejectStream(new Error("The stream was ended."));
  }

  /** The page is asked to connect again, or not. */
  #close(code: number, reason: string): void {
    this.end();
    try {
      this.#options.socket.close(code, reason);
    } catch {
      // It is closed.
    }
  }

  async #begin(first: Call): Promise<void> {
    const { call, path, body } = first;
    if (path !== "/events" || !isObject(body) || !isObject(body["threads"]))
      return this.#close(CLOSE.refused, 'The first call is "/events", with { "threads" }.');
    this.#hasBegun = true;
    // What came with the upgrade is what the browser and the platform say.
    this.#headers = { ...credentialsSaidBy(first), ...this.#headers };
    this.#page.follow(body["threads"]);
    const answer = await this.#post("/events", { threads: body["threads"] });
    if (answer.ok && answer.body) {
      this.#send(answerText(call, answer.status, answer.headers, ""));
      return void this.#read(answer.body);
    }
    await this.#sendAnswer(call, answer);
    this.#close(CLOSE.refused, "It was not let in.");
  }

  async #answer({ call, path, body }: Call): Promise<void> {
    // A tab that is still there says so with nothing new.
    if (path !== "/presence" || hasThreads(body)) this.#options.onActivity();
    await this.#sendAnswer(call, await this.#request(path, body));
  }

  async #sendAnswer(call: number, answer: Response): Promise<void> {
    this.#send(answerText(call, answer.status, answer.headers, await answer.text()));
  }

  async #request(path: string, body: Call["body"]): Promise<Response> {
    if (path === "/operations") return this.#post(path, body);
    if (path === "/presence" && isObject(body)) return this.#show(body as unknown as ShownBody);
    if (/^\/events\/[^/]+$/.test(path) && isObject(body)) return this.#change(body);
    const title = "There is no such call";
    const detail = 'After the first call, `path` is "/events/<stream>", "/operations" or "/presence".';
    return Response.json({ status: 404, code: "not_found", title, detail }, { status: 404 });
  }

  async #change(body: Readonly<Record<string, unknown>>): Promise<Response> {
    const stream = await this.#stream;
    // Its welcome may come before the answer.
    this.#page.follow(body["follow"]);
    const answer = await this.#post(`/events/${stream}`, body);
    if (answer.ok) this.#page.unfollow(body["unfollow"]);
    else this.#page.withdraw(body["follow"]);
    return answer;
  }

  async #show({ tab, threads }: ShownBody): Promise<Response> {
    const stream = await this.#stream;
    const answer = await this.#post("/presence", { stream, tab, threads });
    if (answer.ok && isObject(threads)) this.#page.show({ tab, threads });
    return answer;
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const { signal } = this.#abort;
    try {
      for await (const frame of framesOf(body, signal)) {
        if (signal.aborted) return;
        this.#pass(frame);
      }
    } catch {
      // The stream broke.
    }
    if (signal.aborted) return;
    if (this.#isRefused) this.#close(CLOSE.refused, "The credentials are not valid any more.");
    else this.#close(CLOSE.again, "The object is moved or restarted.");
  }

  #pass(frame: ReadFrame): void {
    const { event } = frame;
    if (event === "") return this.#send(frame.text);
    if (event === "presence") return this.#passPresence(frame);
    this.#options.onActivity();
    const data = dataOf(frame);
    if (event === "hello") return this.#passHello(frame, data);
    const threadId = String(data["thread"]);
    if (event === "welcome") return this.#passWelcome(frame, threadId, data);
    if (event === "problem" && data["thread"] === undefined) this.#isRefused = true;
    this.#page.receive(event, threadId, data);
    this.#send(frame.text);
  }

  /** After a rest the page knows who it is. */
  #passHello(frame: ReadFrame, { stream, session, actor }: Record<string, unknown>): void {
    const name = isObject(actor) ? `${String(actor["kind"])} ${String(actor["id"])}` : "";
    if (this.#session === "") {
      this.#session = String(session);
      this.#actor = name;
      this.#send(frame.text);
    } else if (name !== this.#actor) return this.#close(CLOSE.again, "The credentials are another actor's now.");
    this.#streamSession = String(session);
    this.#options.names.set(this.#streamSession, this.#session);
    this.#resolveStream(String(stream));
  }

  #passWelcome(frame: ReadFrame, threadId: string, data: Record<string, unknown>): void {
    const kind = this.#page.welcome(threadId, data);
    if (kind === "other") this.#close(CLOSE.again, "The thread is another one, or its rights are.");
    if (kind === "new") this.#send(frame.text);
  }

  #passPresence(frame: ReadFrame): void {
    if (this.#held) this.#held.set(String(dataOf(frame)["thread"]), frame.text);
    else this.#sendPresence(frame.text);
  }

  #sendPresence(text: string): void {
    const { names } = this.#options;
    // Behind a point is the name of a tab.
    this.#send(text.replaceAll(/"session":"([^".]+)/g, (_, name: string) => `"session":"${names.get(name) ?? name}`));
  }

  #refuse(problem: unknown): void {
    const { status, code, title, detail } = isObject(problem) ? problem : {};
    this.#send(`event: problem\ndata: ${JSON.stringify({ type: "problem", status, code, title, detail })}`);
    this.#close(CLOSE.refused, "It was not let in again.");
  }

  #send(text: string): void {
    try {
      this.#options.socket.send(text.startsWith("{") ? text : `${text}\n\n`);
    } catch {
      // The page has left. Its end comes as an event of its own.
    }
  }

  #post(path: string, body: unknown): Promise<Response> {
    const { base, fetch } = this.#options;
    const headers = { ...this.#headers, "content-type": "application/json", accept: "text/event-stream" };
    return fetch(new Request(`${base}${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
  }
}
