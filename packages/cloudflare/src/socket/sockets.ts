// The pages on WebSockets of one object. While nothing happens the object rests: it closes its
// server, so that nothing of it runs, and the platform may take it out of memory. The sockets stay
// open meanwhile, and the next request or message reads them on.
//
//   upgrade ──> accept ──> SocketReader <── messages
//                              │ rest: what reads it on is attached, the server's stream closed
//                              │ resume: read on from there, in this memory or in a new one

import { originFault } from "@opstate/core/host-guard";
import type { Authorize } from "@opstate/server";
import type { ObjectSocket, ObjectState } from "../platform.ts";
import { attachedTo } from "./attached.ts";
import { credentialsIn } from "./call.ts";
import { SocketReader } from "./socket-reader.ts";

declare const WebSocketPair: new () => { readonly 0: object; readonly 1: ObjectSocket };
declare const WebSocketRequestResponsePair: new (request: string, response: string) => object;

const SOCKET_PATH = /^(.*)\/threads\/[^/]+\/socket$/;

/** Milliseconds that a page may take for its first call. */
const FIRST_CALL_LIMIT = 10_000;

export interface SocketsOptions {
  readonly origins: readonly string[];
  fetch(request: Request): Promise<Response>;
  onActivity(): void;
}

export class Sockets {
  readonly #state: ObjectState;
  readonly #options: SocketsOptions;
  readonly #readers = new Map<ObjectSocket, SocketReader>();
  readonly #names = new Map<string, string>();
  /** The platform may list them for a moment. */
  readonly #gone = new WeakSet<ObjectSocket>();

  constructor(state: ObjectState, options: SocketsOptions) {
    this.#state = state;
    this.#options = options;
    // So that a page finds out that its socket is alive, and the object is not woken.
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  get areSome(): boolean {
    return this.#readers.size > 0 || this.#all().length > 0;
  }

  /** Undefined: the request is none for a socket, or from a page that may not use the server. */
  accept(request: Request): Response | undefined {
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return undefined;
    const { origin, pathname } = new URL(request.url);
    const [, basePath] = SOCKET_PATH.exec(pathname) ?? [];
    if (basePath === undefined) return undefined;
    // The server refuses it with its own words.
    if (originFault(request, this.#options.origins) !== undefined) return undefined;
    const { 0: client, 1: socket } = new WebSocketPair();
    this.#state.acceptWebSocket(socket);
    this.#readers.set(socket, this.#reader(socket, `${origin}${basePath}`, credentialsIn(request.headers)));
    setTimeout(() => this.#endIfSilent(socket), FIRST_CALL_LIMIT);
    return new Response(null, { status: 101, webSocket: client } as ResponseInit);
  }

  /** The server is there: those that rested read on. */
  resume(): void {
    const resting = this.#all().filter((socket) => !this.#readers.has(socket));
    const resumed = resting.map(async (socket) => {
      const attached = attachedTo(socket.deserializeAttachment());
      // The object was lost before it could rest.
      if (attached === undefined) return socket.close(1012, "The object was restarted.");
      const reader = this.#reader(socket, attached.base, attached.headers);
      this.#readers.set(socket, reader);
      await reader.resume(attached);
    });
    const readers = [...this.#readers.values()];
    // So that nobody is missed for a moment by those who are here.
    const all = Promise.allSettled(resumed);
    for (const reader of readers) void all.then(() => reader.showOthers());
  }

  async receive(socket: ObjectSocket, message: unknown): Promise<void> {
    await this.#readers.get(socket)?.receive(message);
  }

  remove(socket: ObjectSocket): void {
    this.#gone.add(socket);
    this.#readers.get(socket)?.end();
    this.#readers.delete(socket);
  }

  /**
   * When the first of the pages' credentials expire, in milliseconds since 1970. Undefined: never.
   * Rejects when some are not valid any more.
   */
  async expiry(authorize: Authorize): Promise<number> {
    const times = Array.from(this.#readers.values(), async ({ request }) => {
      const access = await authorize(request);
      if (access === null) throw new Error("The credentials of a page are not valid any more.");
      return access.expiresAt?.getTime() ?? Infinity;
    });
    return Math.min(Infinity, ...(await Promise.all(times)));
  }

  /** False: one of them cannot rest, so none does. */
  rest(): boolean {
    const readers = [...this.#readers.values()];
    if (!readers.every((reader) => reader.hasBegun && reader.attach())) return false;
    for (const reader of readers) reader.end();
    this.#readers.clear();
    return true;
  }

  #all(): readonly ObjectSocket[] {
    return this.#state.getWebSockets().filter((socket) => !this.#gone.has(socket));
  }

  #reader(socket: ObjectSocket, base: string, headers: Readonly<Record<string, string>>): SocketReader {
    const { fetch, onActivity } = this.#options;
    return new SocketReader({ socket, base, headers, names: this.#names, fetch, onActivity });
  }

  #endIfSilent(socket: ObjectSocket): void {
    if (this.#readers.get(socket)?.hasBegun !== false) return;
    this.remove(socket);
    socket.close(1008, "The first call did not come.");
  }
}
