// What a node sends to another is signed, and the receiving node trusts nothing else: no address,
// no header of a proxy, no credentials.
//
//   HMAC-SHA256 of  method, path with query, digest of the body, sender, target, epoch, time, nonce
//   in the body     the thread's incarnation, and of each call its actor, rights and submission id
//
// Invariants:
// - Each of these altered, the signature is another one.
// - It is good for 30 seconds of the database's clock, once, and on the target node alone.
// - The signature is checked before the body is read: a stranger has nothing read.

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { wholeNumber } from "../http/whole-number.ts";

/** Milliseconds. */
const GOOD_FOR = 30_000;

export const SIGNED_HEADERS = {
  from: "opstate-node-from",
  target: "opstate-node-target",
  epoch: "opstate-node-epoch",
  time: "opstate-node-time",
  nonce: "opstate-node-nonce",
  digest: "opstate-node-digest",
  signature: "opstate-node-signature",
} as const;

/** What is signed. */
export interface SignedParts {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** SHA-256 of the body, in hex. */
  readonly digest: string;
  readonly from: string;
  readonly target: string;
  readonly epoch: number;
  /** Milliseconds of the database's clock. */
  readonly time: number;
  readonly nonce: string;
}

export function digestOf(body: string | Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

export function signatureOf(parts: SignedParts, secret: string): string {
  const { method, path, digest, from, target, epoch, time, nonce } = parts;
  const text = JSON.stringify(["opstate forward 1", method, path, digest, from, target, epoch, time, nonce]);
  return createHmac("sha256", secret).update(text).digest("hex");
}

export function signedHeaders(parts: SignedParts, secret: string): Record<string, string> {
  return {
    [SIGNED_HEADERS.from]: parts.from,
    [SIGNED_HEADERS.target]: parts.target,
    [SIGNED_HEADERS.epoch]: String(parts.epoch),
    [SIGNED_HEADERS.time]: String(parts.time),
    [SIGNED_HEADERS.nonce]: parts.nonce,
    [SIGNED_HEADERS.digest]: parts.digest,
    [SIGNED_HEADERS.signature]: signatureOf(parts, secret),
  };
}

/** Why a request is refused. The sender gets no more than this. */
export type SignatureFault = "not_signed" | "wrong_signature" | "wrong_node" | "too_old" | "repeated";

export interface VerifierOptions {
  readonly secrets: readonly string[];
  /** This node. */
  readonly node: string;
  /** Milliseconds of the database's clock. */
  readonly now: () => number;
}

/** Remembers what it took for as long as the same could be sent again. */
export class Verifier {
  readonly #options: VerifierOptions;
  /** When each nonce may be forgotten, oldest first. */
  readonly #nonces = new Map<string, number>();

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /** The parts, when they are signed, new, and addressed to this node. */
  verify({ method, path, headers }: Unverified): SignedParts | SignatureFault {
    const { secrets, node, now } = this.#options;
    const parts = readParts(method, path, headers);
    const signature = headers.get(SIGNED_HEADERS.signature);
    if (parts === undefined || signature === null) return "not_signed";
    if (!secrets.some((secret) => isSame(signatureOf(parts, secret), signature))) return "wrong_signature";
    if (parts.target !== node) return "wrong_node";
    const time = now();
    if (!(Math.abs(time - parts.time) <= GOOD_FOR)) return "too_old";
    this.#forget(time);
    if (this.#nonces.has(parts.nonce)) return "repeated";
    this.#nonces.set(parts.nonce, time + 2 * GOOD_FOR);
    return parts;
  }

  #forget(time: number): void {
    for (const [nonce, until] of this.#nonces) {
      if (until >= time) return;
      this.#nonces.delete(nonce);
    }
  }
}

export interface Unverified {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

function readParts(method: string, path: string, headers: Headers): SignedParts | undefined {
  const read = (name: keyof typeof SIGNED_HEADERS) => headers.get(SIGNED_HEADERS[name]) ?? "";
  const [from, target, nonce, digest] = [read("from"), read("target"), read("nonce"), read("digest")];
  const [epoch, time] = [wholeNumber(read("epoch")), wholeNumber(read("time"))];
  if (from === "" || target === "" || nonce === "" || digest === "") return undefined;
  if (epoch === undefined || time === undefined) return undefined;
  return { method, path, digest, from, target, epoch, time, nonce };
}

/** In a time that does not depend on where they differ. */
function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
