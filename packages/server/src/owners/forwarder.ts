// Sends calls to the node that owns their thread, signed, and reads what came of them.
//
// Invariants:
// - The address is the one in the owner's row. Nothing redirects.
// - It is sent once. Whether what was not answered had its effect is not known: the same ids may
//   be sent again, anywhere.

import { isObject } from "@opstate/core/json";
import { randomId } from "@opstate/core/thread";
import type { OwnedThread, Owner } from "../log/ownership.ts";
import type { Call, CallResult, ForwardedCalls } from "./calls.ts";
import type { Owners } from "./owners.ts";
import { digestOf, signedHeaders } from "./signature.ts";

export interface ForwarderOptions {
  readonly owners: Pick<Owners, "id" | "now" | "onGone">;
  readonly secrets: readonly [string, ...string[]];
}

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
  readonly #options: ForwarderOptions;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /** `timeout`: milliseconds. */
  async send(owner: Owner, thread: OwnedThread, calls: readonly Call[], timeout: number): Promise<Answer> {
    const { owners, secrets } = this.#options;
    const url = new URL(`${owner.address}${pathOf(thread.threadId)}`);
    const forwarded: ForwardedCalls = { incarnation: thread.incarnation, calls };
    const body = JSON.stringify(forwarded);
    const parts = {
      method: "POST",
      path: `${url.pathname}${url.search}`,
      digest: digestOf(body),
      from: owners.id,
      target: owner.node,
      epoch: owner.epoch,
      time: owners.now(),
      nonce: randomId(),
    };
    const gone = new AbortController();
    const stopListening = owners.onGone(owner.node, () => gone.abort());
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...signedHeaders(parts, secrets[0]) },
        body,
        redirect: "error",
        signal: AbortSignal.any([gone.signal, AbortSignal.timeout(timeout)]),
      });
      return answerOf(response.status, await response.json(), calls.length);
    } catch {
      return { kind: "unreachable" };
    } finally {
      stopListening();
    }
  }
}

function answerOf(status: number, body: unknown, count: number): Answer {
  if (status === 200 && Array.isArray(body) && body.length === count) return { kind: "results", results: body };
  const { code, detail }: { code?: unknown; detail?: unknown } = isObject(body) ? body : {};
  if (code === "not_owner") return { kind: "not_owner" };
  if (code === "node_refused") return { kind: "refused", why: String(detail) };
  return { kind: "unreachable" };
}
