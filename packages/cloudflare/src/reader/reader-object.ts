// The object of one reader that follows many threads on one stream, as a page does.
//
//   page ── POST /events ──> reader ──┬── /events of the object of threads a, a~draft
//        <── one stream ────          └── /events of the object of thread b
//
// A server without threads says hello, sends heartbeats, and checks the credentials again. The
// threads' events come in between.
//
// Invariants:
// - The stream is named as the object is, so a later request finds it from anywhere.
// - For all but the actor who opened it, the stream does not exist: the server in it says so.

import { defined, memoryLog } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import { createFetchServer, type FetchServer } from "@opstate/server/fetch";
import { byObject, joinedAnswer, NAME_HEADER, objectNameOf, requestWith, stubOf } from "../addresses.ts";
import type { EdgeBindings, OptionsOf } from "../edge-options.ts";
import type { ObjectState } from "../platform.ts";
import { bytesOf, dataOf, framesOf, type ReadFrame } from "./frames.ts";
import { type Positions, Upstream } from "./upstream.ts";

/** With how many threads a reader may begin. The server refuses more. */
const THREADS_LIMIT = 500;

/** The stream of the reader that is open. */
interface OpenStream {
  /** How the server in it calls the stream. */
  readonly stream: string;
  readonly session: string;
  readonly request: Request;
  readonly upstreams: Map<string, Upstream>;
  write(bytes: Uint8Array): Promise<void>;
}

export class ReaderObject<Env extends EdgeBindings> {
  readonly #env: Env;
  readonly #server: FetchServer;
  #open: OpenStream | undefined;

  constructor(_: ObjectState, env: Env, optionsOf: OptionsOf<Env>) {
    this.#env = env;
    this.#server = createFetchServer({ ...optionsOf(env), log: memoryLog(), idleMinutes: Infinity });
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => undefined);
    if (!isObject(body)) return this.#server.fetch(request);
    if (pathname.endsWith("/presence")) return this.#show(request, body);
    return pathname.endsWith("/events") ? this.#begin(request, body) : this.#change(request, body);
  }

  async #begin(request: Request, body: Record<string, unknown>): Promise<Response> {
    const threads = isObject(body["threads"]) ? body["threads"] : undefined;
    // What is wrong with the body is said by the server.
    if (!threads || Object.keys(body).length > 1 || Object.keys(threads).length > THREADS_LIMIT)
      return this.#server.fetch(request);
    const own = await this.#server.fetch(requestWith(request, { body: JSON.stringify({ threads: {} }) }));
    if (!own.ok || !own.body) return own;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    void this.#run(request, own.body, threads, writable.getWriter());
    return new Response(readable, { status: own.status, headers: own.headers });
  }

  async #run(
    request: Request,
    own: ReadableStream<Uint8Array>,
    threads: Positions,
    writer: WritableStreamDefaultWriter<Uint8Array>,
  ): Promise<void> {
    let open: OpenStream | undefined;
    writer.closed.catch(() => undefined);
    try {
      for await (const frame of framesOf(own, request.signal)) {
        if (frame.event === "hello") {
          const hello = this.#hello(request, frame, writer);
          await writer.write(bytesOf(hello.text));
          open = hello.open;
          this.#open = open;
          this.#follow(open, threads);
        } else await writer.write(bytesOf(frame.text));
      }
      // To a reader that has left nothing more is written.
      if (!request.signal.aborted) await writer.close();
    } catch {
      // The reader has left.
    } finally {
      for (const upstream of open?.upstreams.values() ?? []) upstream.close();
      if (this.#open === open) this.#open = undefined;
    }
  }

  #hello(
    request: Request,
    frame: ReadFrame,
    writer: WritableStreamDefaultWriter<Uint8Array>,
  ): { readonly text: string; readonly open: OpenStream } {
    const data = dataOf(frame);
    const name = request.headers.get(NAME_HEADER) ?? "";
    return {
      text: `event: hello\ndata: ${JSON.stringify({ ...data, stream: name })}`,
      open: {
        stream: String(data["stream"]),
        session: String(data["session"]),
        request,
        upstreams: new Map(),
        write: (bytes) => writer.write(bytes),
      },
    };
  }

  #follow(open: OpenStream, positions: Positions): void {
    for (const [name, entries] of byObject(Object.entries(positions), ([threadId]) => threadId)) {
      const upstream = open.upstreams.get(name);
      if (upstream) void upstream.change(Object.fromEntries(entries), []);
      else open.upstreams.set(name, this.#upstream(open, name, Object.fromEntries(entries)));
    }
  }

  #upstream(open: OpenStream, name: string, positions: Positions): Upstream {
    const upstream = new Upstream(positions, {
      stub: stubOf(this.#env.OPSTATE_THREADS, name),
      request: open.request,
      session: open.session,
      write: (bytes) => open.write(bytes),
      onEnd() {
        if (open.upstreams.get(name) === upstream) open.upstreams.delete(name);
      },
    });
    return upstream;
  }

  async #change(request: Request, body: Record<string, unknown>): Promise<Response> {
    const open = this.#open;
    // The server checks whose stream it is; without one, and of another actor, there is none.
    const path = new URL(request.url).pathname.replace(/[^/]*$/, open?.stream ?? "none");
    const own = await this.#server.fetch(requestWith(request, { path, body: JSON.stringify({ ...body, follow: {} }) }));
    const { follow = {}, unfollow = [] } = body;
    if (!own.ok || !open || !isObject(follow) || !Array.isArray(unfollow)) return own;
    const left = byObject(unfollow.map(String), (threadId) => threadId);
    const followed = byObject(Object.entries(follow), ([threadId]) => threadId);
    for (const name of new Set([...open.upstreams.keys(), ...followed.keys()])) {
      const positions = Object.fromEntries(followed.get(name) ?? []);
      const upstream = open.upstreams.get(name);
      // Without a change it says that the reader is still there.
      if (upstream) await upstream.change(positions, left.get(name) ?? []);
      else open.upstreams.set(name, this.#upstream(open, name, positions));
    }
    return own;
  }

  async #show(request: Request, body: Record<string, unknown>): Promise<Response> {
    const open = this.#open;
    const { tab, threads } = body;
    const checked = JSON.stringify({
      ...body,
      stream: open?.stream ?? "none",
      threads: isObject(threads) ? {} : threads,
    });
    const own = await this.#server.fetch(requestWith(request, { body: checked }));
    if (!own.ok || !open || !isObject(threads)) return own;
    const groups = [...byObject(Object.entries(threads), ([threadId]) => threadId)];
    const shown = await Promise.all(
      groups.map(async ([name, entries]) => {
        const upstream = open.upstreams.get(name);
        return (await upstream?.show(tab, Object.fromEntries(entries))) ?? notFollowed(entries);
      }),
    );
    const problems: Record<string, unknown> = Object.assign({}, ...shown);
    return Object.keys(problems).length === 0 ? own : joinedAnswer({ problems }, own);
  }
}

/** A thread in which nothing is shown need not be followed. */
function notFollowed(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const problem = (threadId: string) => ({
    status: 409,
    code: "not_followed",
    title: "The stream does not follow this thread",
    detail: `The stream does not follow thread "${threadId}" (object "${objectNameOf(threadId)}").`,
  });
  return defined(
    Object.fromEntries(entries.map(([threadId, value]) => [threadId, value === null ? undefined : problem(threadId)])),
  );
}
