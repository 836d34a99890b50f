// Runs of a thread that are under way at the nodes that owned it before.
//
//   owner in epoch 3   ─ run ───────────────────────────┐ over
//   owner in epoch 4              waits ─ asks ─ asks ─ asks ─ run ─────>
//
// Invariants:
// - A run waits for those of earlier epochs only, so no two wait for each other.
// - A node that does not answer is asked again, until its lease is over.
// - Once the others have none of earlier epochs, they are not asked again in this one.

import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "@opstate/core/json";
import type { OwnedThread } from "../log/ownership.ts";
import type { Owners } from "./owners.ts";
import { type Signing, signedPost, type Target } from "./signed-post.ts";

/** The path of the route, after the base path. */
export const UNDER_WAY = "/nodes/runs";

/** Milliseconds between two questions. */
const PAUSE = 200;
/** Milliseconds for an answer. */
const PATIENCE = 2_000;

export interface EarlierRunsOptions extends Signing {
  readonly owners: Pick<Owners, "id" | "now" | "live" | "others">;
}

/** What one node asks the others. */
export interface EarlierRunsQuestion extends OwnedThread {
  /** Whether there are runs that were begun before it. */
  readonly epoch: number;
}

export class EarlierRuns {
  readonly #options: EarlierRunsOptions;
  /** The newest epoch in which the others had no run of an earlier one. */
  readonly #settled = new WeakMap<OwnedThread, number>();

  constructor(options: EarlierRunsOptions) {
    this.#options = options;
  }

  /** Resolves when no other node has a run of an epoch before that one, or the signal aborts. */
  async ended(thread: OwnedThread, epoch: number, signal: AbortSignal): Promise<void> {
    const { owners } = this.#options;
    if ((this.#settled.get(thread) ?? 0) >= epoch) return;
    // One that came since the last renewal may have owned the thread already.
    await owners.live();
    const { threadId, incarnation } = thread;
    const without = new Set<string>();
    while (!signal.aborted) {
      const asked = owners.others.filter(({ id }) => !without.has(id));
      if (asked.length === 0) {
        this.#settled.set(thread, epoch);
        return;
      }
      const answers = await Promise.all(
        asked.map(({ id, address }) =>
          this.#hasNone({ node: id, address, epoch }, { threadId, incarnation, epoch }, signal),
        ),
      );
      for (const [at, { id }] of asked.entries()) if (answers[at] === true) without.add(id);
      if (answers.includes(false)) await delay(PAUSE, undefined, { signal }).catch(() => undefined);
    }
  }

  async #hasNone(target: Target, question: EarlierRunsQuestion, signal: AbortSignal): Promise<boolean> {
    try {
      const answer = await signedPost(this.#options, target, {
        path: UNDER_WAY,
        type: "application/json",
        body: JSON.stringify(question),
        signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
      });
      const body: unknown = await answer.json();
      return answer.ok && isObject(body) && body["areUnderWay"] === false;
    } catch {
      return false;
    }
  }
}

/** Undefined when it is nothing that a node asks. */
export function earlierRunsQuestion(body: unknown): EarlierRunsQuestion | undefined {
  if (!isObject(body)) return undefined;
  const { threadId, incarnation, epoch }: { threadId?: unknown; incarnation?: unknown; epoch?: unknown } = body;
  if (typeof threadId !== "string" || typeof incarnation !== "string" || !Number.isSafeInteger(epoch)) return undefined;
  return { threadId, incarnation, epoch: epoch as number };
}
