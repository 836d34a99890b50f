// The part of a reader's stream that comes from one object: the threads that it follows there.
//
// Invariants:
// - Credentials are the reader's own: the object of the threads authenticates them and checks the
//   rights, as it does for any other stream.
// - When the object is gone, each of its threads ends with a problem that passes. The client then
//   follows it again, and so finds the object that the platform starts.

import { isObject } from "@opstate/core/json";
import { requestWith } from "../addresses.ts";
import type { ObjectStub } from "../platform.ts";
import { bytesOf, dataOf, framesOf, problemBytes, type ReadFrame } from "./frames.ts";

const GONE = {
  status: 503,
  code: "closing",
  title: "The server is closing",
  detail: "The object of this thread was moved or restarted. Follow the thread again.",
};

export type Positions = Readonly<Record<string, unknown>>;

export interface UpstreamOptions {
  readonly stub: ObjectStub;
  /** Of the reader: for its credentials. */
  readonly request: Request;
  /** How this reader is called among those who are here. */
  readonly session: string;
  /** Resolves when the reader has room; rejects when it has left. */
  write(bytes: Uint8Array): Promise<void>;
  /** It has no thread any more. */
  onEnd(): void;
}

export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #threadIds = new Set<string>();
  readonly #abort = new AbortController();
  /** How the object calls the stream and this reader; undefined: it could not be opened. */
  readonly #names: Promise<{ readonly stream: string; readonly session: string } | undefined>;
  #resolveNames: (names: { readonly stream: string; readonly session: string } | undefined) => void = () => undefined;

  constructor(positions: Positions, options: UpstreamOptions) {
    this.#options = options;
    for (const threadId of Object.keys(positions)) this.#threadIds.add(threadId);
    this.#names = new Promise((resolve) => {
      this.#resolveNames = resolve;
    });
    void this.#run(positions);
  }

  /** The reader follows these too, or again. */
  async change(follow: Positions, unfollow: readonly string[]): Promise<void> {
    for (const threadId of unfollow) this.#threadIds.delete(threadId);
    for (const threadId of Object.keys(follow)) this.#threadIds.add(threadId);
    if (this.#threadIds.size === 0) return this.close();
    const names = await this.#names;
    if (names === undefined) return;
    const answer = await this.#post(`/events/${names.stream}`, { follow, unfollow });
    if (answer.ok) return;
    await this.#end(GONE);
    this.close();
  }

  /** Resolves to the problems, by thread. */
  async show(tab: unknown, values: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const names = await this.#names;
    if (names === undefined) return Object.fromEntries(Object.keys(values).map((threadId) => [threadId, GONE]));
    const answer = await this.#post("/presence", { stream: names.stream, tab, threads: values });
    if (answer.status === 204) return {};
    const body: unknown = await answer.json();
    if (answer.ok && isObject(body) && isObject(body["problems"])) return body["problems"];
    return Object.fromEntries(Object.keys(values).map((threadId) => [threadId, body]));
  }

  close(): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort();
    this.#options.onEnd();
  }

  async #run(positions: Positions): Promise<void> {
    try {
      const answer = await this.#post("/events", { threads: positions }, this.#abort.signal);
      if (!answer.ok || !answer.body) return await this.#end(await problemOf(answer));
      for await (const frame of framesOf(answer.body)) if (await this.#pass(frame)) return;
      await this.#end(GONE);
    } catch {
      await this.#end(GONE);
    } finally {
      this.#resolveNames(undefined);
      this.close();
    }
  }

  /** Passes on a frame. True: there is nothing more to come. */
  async #pass(frame: ReadFrame): Promise<boolean> {
    if (this.#abort.signal.aborted) return true;
    if (frame.event === "hello") {
      const { stream, session } = dataOf(frame);
      if (typeof stream === "string" && typeof session === "string") this.#resolveNames({ stream, session });
      return false;
    }
    // Heartbeats: the reader's stream has its own.
    if (frame.event === "") return false;
    if (frame.event === "problem") {
      const { thread } = dataOf(frame);
      if (typeof thread === "string") this.#threadIds.delete(thread);
    }
    const names = frame.event === "presence" ? await this.#names : undefined;
    const text = names ? frame.text.replaceAll(names.session, this.#options.session) : frame.text;
    await this.#options.write(bytesOf(text));
    return this.#threadIds.size === 0;
  }

  /** Every thread that is left ends with this problem. */
  async #end(problem: Record<string, unknown>): Promise<void> {
    if (this.#abort.signal.aborted) return;
    // A reader that has left gets no problem.
    for (const threadId of this.#threadIds)
      await this.#options.write(problemBytes(threadId, problem)).catch(() => undefined);
  }

  #post(path: string, body: object, signal?: AbortSignal): Promise<Response> {
    const { stub, request } = this.#options;
    // The reader's own request came to "/events", behind the base path.
    const basePath = new URL(request.url).pathname.replace(/\/events$/, "");
    const posted = requestWith(request, { path: `${basePath}${path}`, body: JSON.stringify(body) });
    return stub.fetch(signal ? new Request(posted, { signal }) : posted);
  }
}

async function problemOf(answer: Response): Promise<Record<string, unknown>> {
  const body: unknown = await answer.json().catch(() => undefined);
  return isObject(body) ? body : GONE;
}
