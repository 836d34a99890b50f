// The carrier over WebSockets, for servers whose threads are objects of their own: a session for
// each thread with its branches. What a session is over HTTP it is here; only its requests go
// another way.
//
//   launch, launch~draft ── session ── socket ── /threads/launch/socket
//   notes                ── session ── socket ── /threads/notes/socket

import type { Carrier, CarrierConnection, CarrierListener } from "../../carrier.ts";
import { httpCarrier } from "../http/http-carrier.ts";
import type { Requester } from "../http/request.ts";
import { lost, ThreadSocket } from "./thread-socket.ts";

/** The address of the routes, and the path of the one that is called. */
const ROUTE = /^(.*)(\/(?:events(?:\/[^/]+)?|operations|presence))$/;

export function socketCarrier(requester: Pick<Requester, "post">): Carrier {
  return {
    open(listener) {
      const sessions = new Map<string, CarrierConnection>();
      const of = (threadId: string) => sessions.get(rootOf(threadId));
      /** Those that wait for credentials. New ones are for all threads. */
      const signedOut = new Set<string>();
      const heard: CarrierListener = {
        onMessage: (threadId, message) => listener.onMessage(threadId, message),
        onStatus(threadId, status, error) {
          if (status === "unauthenticated") signedOut.add(threadId);
          else signedOut.delete(threadId);
          listener.onStatus(threadId, status, error);
        },
        onActor: (actor) => listener.onActor(actor),
        position: (threadId) => listener.position(threadId),
      };
      return {
        follow(threadId) {
          const root = rootOf(threadId);
          const session = sessions.get(root) ?? sessionOf(root, requester).open(heard);
          sessions.set(root, session);
          session.follow(threadId);
        },
        unfollow: (threadId) => of(threadId)?.unfollow(threadId),
        send: (threadId, submission) => of(threadId)?.send(threadId, submission),
        show: (threadId, value, tab) => of(threadId)?.show(threadId, value, tab),
        retry(threadId) {
          if (threadId === undefined) for (const session of sessions.values()) session.retry();
          else for (const id of signedOut.has(threadId) ? signedOut : [threadId]) of(id)?.retry(id);
        },
        close() {
          for (const session of sessions.values()) session.close();
          sessions.clear();
        },
      };
    },
  };
}

/** The thread that a branch is of, at the root. */
function rootOf(threadId: string): string {
  const end = threadId.indexOf("~", 1);
  return end === -1 ? threadId : threadId.slice(0, end);
}

function sessionOf(root: string, requester: Pick<Requester, "post">): Carrier {
  let socket: ThreadSocket | undefined;

  const overSocket: typeof globalThis.fetch = async (input, init = {}) => {
    // It may have ended while the credentials came: the next one is another actor's, perhaps.
    init.signal?.throwIfAborted();
    // A requester gives texts.
    const [, base = "", path = ""] = ROUTE.exec(input as string) ?? [];
    const body = init.body as string;
    if (path !== "/events") {
      if (socket === undefined) throw lost();
      return socket.call(path, body);
    }
    const address = addressOf(`${base}/threads/${encodeURIComponent(root)}/socket`);
    socket = new ThreadSocket(address, init.signal ?? undefined);
    return socket.open(new Headers(init.headers), body);
  };

  return httpCarrier(
    { post: (path, body, init) => requester.post(path, body, { ...init, fetch: overSocket }) },
    { polling: false },
  );
}

function addressOf(url: string): string {
  const { document, location } = globalThis as {
    readonly document?: { readonly baseURI: string };
    readonly location?: { readonly href: string };
  };
  return new URL(url, document?.baseURI ?? location?.href).href.replace(/^http/, "ws");
}
