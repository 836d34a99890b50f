// How refusals are counted and stored. Equal ones are numbered, so that a model that repeats one
// can be stopped. Large operations are cut.

import type { Actor } from "../../engine/actor.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import type { Refusal } from "../commit.ts";
import { hashOperation } from "../log/operation-hash.ts";

const OPERATION_LIMIT = 2_000;
const PREVIEW = 200;
const REMEMBERED = 1_000;

/** What a refusal holds instead of an operation that is too large. */
interface CutOperation {
  readonly type: string;
  readonly cut: { readonly hash: string; readonly length: number; readonly preview: string };
}

/** The operation as a refusal keeps it. */
export function cutOperation(operation: unknown, type: string, hash: string): unknown {
  const text = JSON.stringify(operation);
  if (text.length <= OPERATION_LIMIT) return operation;
  return { type, cut: { hash, length: text.length, preview: text.slice(0, PREVIEW) } } satisfies CutOperation;
}

/** What makes two refusals equal: the same actor, operation, code and reason. */
export function attemptKey(actor: Actor, hash: string, { code, reason }: Rejection): string {
  return JSON.stringify([actor.kind, actor.id, hash, code, reason]);
}

/** How often each refusal was given; the newest are remembered. */
export class Attempts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  set(key: string, count: number): void {
    this.#counts.delete(key);
    this.#counts.set(key, count);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= REMEMBERED) break;
      this.#counts.delete(oldest);
    }
  }

  /** Goes on counting from stored refusals. */
  restore(refusals: readonly Refusal[]): void {
    for (const { actor, operation, rejection, attempt } of refusals) {
      const key = attemptKey(actor, cutHash(operation) ?? hashOperation(operation), rejection);
      this.set(key, Math.max(attempt, this.of(key)));
    }
  }
}

function cutHash(operation: unknown): string | undefined {
  if (typeof operation !== "object" || operation === null || !("cut" in operation)) return undefined;
  const { cut } = operation;
  return typeof cut === "object" && cut !== null && "hash" in cut && typeof cut.hash === "string"
    ? cut.hash
    : undefined;
}
