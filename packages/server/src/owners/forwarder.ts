// Sends calls to the node that owns their thread, signed, and reads what came of them.
//
// Invariant: it is sent once. Whether what was not answered had its effect is not known: the same
// ids may be sent again, anywhere.

import { isObject } from "@opstate/core/json";
import type { OwnedThread, Owner } from "../log/ownership.ts";
import type { Call, CallResult, ForwardedCalls } from "./calls.ts";
import { type Departures, signedPost, type Signing, Waiting } from "./signed-post.ts";

export type Answer =
  | { readonly kind: "results"; readonly results: readonly CallResult[] }
  /** It owns the thread no more, or not yet: nothing was done. */
  | { readonly kind: "not_owner" }
  /** It refuses this node's signature. */
  | { readonly kind: "refused"; readonly why: string }
  /** It cannot be reached, or closes, or its lease is over. What was done is not known. */
  | { readonly kind: "unreachable" };

/** The path of the route, after the base path. */
export function pathOf(threadId: string): string {
  return `/nodes/threads/${encodeURIComponent(threadId)}`;
}

export class Forwarder {
  readonly #signing: Signing & Departures;

  constructor(signing: Signing & Departures) {
    this.#signing = signing;
  }

  /** `timeout`: milliseconds. */
  async send(owner: Owner, thread: OwnedThread, calls: readonly Call[], timeout: number): Promise<Answer> {
    const forwarded: ForwardedCalls = { incarnation: thread.incarnation, calls };
    const waiting = new Waiting(this.#signing, owner, timeout);
    try {
      const response = await signedPost(this.#signing, owner, {
        path: pathOf(thread.threadId),
        type: "application/json",
        body: JSON.stringify(forwarded),
        signal: waiting.signal,
      });
      return answerOf(response.status, await response.json(), calls.length);
    } catch {
      return { kind: "unreachable" };
    } finally {
      waiting.close();
    }
  }
}

function answerOf(status: number, body: unknown, count: number): Answer {
  if (status === 200 && Array.isArray(body) && body.length === count) return { kind: "results", results: body };
  const { code, detail }: { code?: unknown; detail?: unknown } = isObject(body) ? body : {};
  // A server that was started again is another one, and owns nothing yet.
  if (code === "not_owner" || code === "wrong_node") return { kind: "not_owner" };
  if (code === "node_refused") return { kind: "refused", why: String(detail) };
  return { kind: "unreachable" };
}
