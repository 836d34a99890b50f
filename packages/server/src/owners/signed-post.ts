// One signed request of this node to another.
//
// Invariants:
// - The address is the one in the database's row of that node. Nothing redirects.
// - It is sent once.

import { randomId } from "@opstate/core/thread";
import type { Owners } from "./owners.ts";
import { digestOf, signedHeaders } from "./signature.ts";

export interface Signing {
  readonly owners: Pick<Owners, "id" | "now">;
  readonly secrets: readonly [string, ...string[]];
}

/** Knows when another node is gone. */
export interface Departures {
  readonly owners: Pick<Owners, "onGone">;
}

/** Where it goes: a node, by its id and address, and in which epoch it owns what this is about. */
export interface Target {
  readonly node: string;
  readonly address: string;
  readonly epoch: number;
}

export interface SignedPost {
  /** After the base path. */
  readonly path: string;
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

export function signedPost(
  { owners, secrets }: Signing,
  { node, address, epoch }: Target,
  { path, type, body, signal }: SignedPost,
): Promise<Response> {
  const url = new URL(`${address}${path}`);
  const parts = {
    method: "POST",
    path: `${url.pathname}${url.search}`,
    digest: digestOf(body),
    from: owners.id,
    target: node,
    epoch,
    time: owners.now(),
    nonce: randomId(),
  };
  return fetch(url, {
    method: "POST",
    headers: { "content-type": type, ...signedHeaders(parts, secrets[0]) },
    body,
    redirect: "error",
    signal,
  });
}

/** Aborts when the node's lease is over, or after so many milliseconds, until it is closed. */
export class Waiting {
  readonly #aborter = new AbortController();
  readonly #stopListening: () => void;
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor({ owners }: Departures, { node }: Target, timeout: number) {
    const abort = () => this.#aborter.abort();
    this.#stopListening = owners.onGone(node, abort);
    this.#timer = setTimeout(abort, timeout);
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  /** There is an answer: it may take as long as it takes. */
  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  close(): void {
    this.#stopListening();
    this.stopTimer();
  }
}
