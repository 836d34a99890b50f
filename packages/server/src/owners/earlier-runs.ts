// Runs of a thread that are under way at the nodes that owned it before.
//
//   owner in epoch 3   ─ run ───────────────────────────┐ over
//   owner in epoch 4              waits ─ asks ─ asks ─ asks ─ run ─────>
//
// Invariants:
// - A run waits for those of earlier epochs only, so no two wait for each other.
// - A node that says that it has one is waited for as long as its lease runs and it says so.
// - A node that cannot be reached is waited for as long as everywhere else, and then reported.
// - Once the others have none of earlier epochs, they are not asked again in this one.

import { setTimeout as delay } from "node:timers/promises";
import { OpstateError } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import { untilAborted } from "@opstate/core/until-aborted";
import type { OwnedThread } from "../log/ownership.ts";
import type { Owners } from "./owners.ts";
import { type Signing, signedPost, type Target } from "./signed-post.ts";

/** The path of the route, after the base path. */
export const UNDER_WAY = "/nodes/runs";

/** Milliseconds between two questions, at first and at most. */
const [SHORT_PAUSE, LONG_PAUSE] = [100, 2_000];
/** Milliseconds for an answer. */
const ANSWER_TIMEOUT = 2_000;
/** Milliseconds beyond two leases until a node that cannot be reached is given up. */
const PATIENCE = 1_000;

export interface EarlierRunsOptions extends Signing {
  readonly owners: Pick<Owners, "id" | "now" | "live" | "others">;
  /** Milliseconds. */
  readonly lease: number;
  /** Gets what a run did not wait for. */
  readonly onError: (error: unknown) => void;
}

/** What one node asks the others. */
export interface EarlierRunsQuestion extends OwnedThread {
  /** Whether there are runs that were begun before it. */
  readonly epoch: number;
}

/** `unreachable`: whether it has any is not known. */
type Answer = "none" | "some" | "unreachable";

export class EarlierRuns {
  readonly #options: EarlierRunsOptions;
  /** The newest epoch in which the others had no run of an earlier one. */
  readonly #settled = new WeakMap<OwnedThread, number>();

  constructor(options: EarlierRunsOptions) {
    this.#options = options;
  }

  /** Resolves when no other node has a run of an epoch before that one, or the signal aborts. */
  async ended(thread: OwnedThread, epoch: number, signal: AbortSignal): Promise<void> {
    const { lease, onError } = this.#options;
    if ((this.#settled.get(thread) ?? 0) >= epoch) return;
    const { threadId, incarnation } = thread;
    const without = new Set<string>();
    const limit = 2 * lease + PATIENCE;
    let until = performance.now() + limit;
    for (let pause = SHORT_PAUSE; !signal.aborted; pause = Math.min(2 * pause, LONG_PAUSE)) {
      const answer = await this.#ask({ threadId, incarnation, epoch }, without, signal);
      if (answer === "none") break;
      if (answer === "some") until = performance.now() + limit;
      else if (performance.now() > until) {
        onError(unreachable(threadId));
        break;
      }
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
    if (!signal.aborted) this.#settled.set(thread, epoch);
  }

  /** Asks those that are there now, but for the ones that have none. */
  async #ask(question: EarlierRunsQuestion, without: Set<string>, signal: AbortSignal): Promise<Answer> {
    const { owners } = this.#options;
    try {
      // One that came since the last renewal may have owned the thread already. One may have left.
      await untilAborted(owners.live(), signal);
    } catch {
      return "unreachable";
    }
    const asked = owners.others.filter(({ id }) => !without.has(id));
    const answers = await Promise.all(
      asked.map(({ id, address }) => this.#answerOf({ node: id, address, epoch: question.epoch }, question, signal)),
    );
    for (const [at, { id }] of asked.entries()) if (answers[at] === "none") without.add(id);
    return answers.find((answer) => answer === "some") ?? answers.find((answer) => answer !== "none") ?? "none";
  }

  async #answerOf(target: Target, question: EarlierRunsQuestion, signal: AbortSignal): Promise<Answer> {
    try {
      const answer = await signedPost(this.#options, target, {
        path: UNDER_WAY,
        type: "application/json",
        body: JSON.stringify(question),
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT)]),
      });
      const body: unknown = await answer.json().catch(() => undefined);
      if (answer.ok && isObject(body)) return body["areUnderWay"] === true ? "some" : "none";
      // A server of an older release does not know the question, and answers as to a stranger.
      const isOlder = answer.status === 401 || answer.status === 404;
      return isOlder ? "none" : "unreachable";
    } catch {
      return "unreachable";
    }
  }
}

function unreachable(threadId: string): OpstateError {
  return new OpstateError(
    "log_unavailable",
    `A run of thread "${threadId}" began although another server could not be asked whether it has an earlier one.`,
  );
}

/** Undefined when it is nothing that a node asks. */
export function earlierRunsQuestion(body: unknown): EarlierRunsQuestion | undefined {
  if (!isObject(body)) return undefined;
  const { threadId, incarnation, epoch }: { threadId?: unknown; incarnation?: unknown; epoch?: unknown } = body;
  if (typeof threadId !== "string" || typeof incarnation !== "string" || !Number.isSafeInteger(epoch)) return undefined;
  return { threadId, incarnation, epoch: epoch as number };
}
