// Requests that another node answers: those about runs, which are where they are executed, and
// about streams of many threads, which are where their readers are connected.
//
//   client ─ this node ─ door ─ route ─┬─ here
//                                      └─ the same request, signed ─ that node ─ door ─ route
//
// Invariants:
// - What was passed on is not passed on again.
// - A request that begins something is sent once, but for an answer that says that nothing was
//   begun.
// - A node whose lease runs is waited for: without it nobody knows what there is.

import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "@opstate/core/json";
import { Problem } from "../http/problem.ts";
import type { OpenWork } from "../lifecycle/open-work.ts";
import type { OwnedThread } from "../log/ownership.ts";
import type { Owners, RoutedThread } from "./owners.ts";
import { isAnswer, packRequest, passedBody, type PassedRequest, unmarkAnswer } from "./passed-request.ts";
import { signedPost, type Target, Waiting } from "./signed-post.ts";

export interface OtherNodesOptions {
  readonly owners: Owners;
  readonly secrets: readonly [string, ...string[]];
  /** Milliseconds. */
  readonly lease: number;
  /** Milliseconds for a call of the log. */
  readonly logTimeout: number;
  /** Counts answers that have not ended. */
  readonly open: OpenWork;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

/** What a node answered with 200, parsed. */
export interface NodeAnswer {
  readonly node: Target;
  readonly json: unknown;
  /** It is a page of a list, after which there is another. */
  readonly isPart: boolean;
}

/** The path of the route, after the base path. */
export const PASSED = "/nodes/requests";

/** Milliseconds for the first bytes of an answer, at most. */
const LONG_TIMEOUT = 300_000;
/** Milliseconds beyond two leases until a node that cannot be reached is given up. */
const PATIENCE = 1_000;
/** Milliseconds between two attempts. */
const PAUSE = 100;

export class OtherNodes {
  readonly #options: OtherNodesOptions;

  constructor(options: OtherNodesOptions) {
    this.#options = options;
  }

  /** Whether this node owns the thread in that epoch. */
  owns(thread: OwnedThread, epoch: number): Promise<boolean> {
    return this.#options.owners.owns(thread, epoch);
  }

  /**
   * The answer of the node that owns the thread. Undefined when that is this one. Rejects with a
   * Problem when it cannot be reached in time.
   */
  async ofOwner(thread: RoutedThread, passed: PassedRequest): Promise<Response | undefined> {
    const { owners } = this.#options;
    const until = this.#patience();
    for (;;) {
      // What is known may be old, and no append would notice it.
      owners.forget(thread, owners.known(thread));
      const owner = await owners.ownerOf(thread);
      if (owner === undefined || owners.isOwn(owner)) return undefined;
      const answer = await this.#send(owner, passed);
      if (answer instanceof Response) return answer;
      this.#checkOpen(passed);
      if (answer === "unanswered" || performance.now() > until) throw unreachable(owner);
      await delay(PAUSE);
    }
  }

  /** The answer of that node. Undefined when it begins nothing. */
  async at(node: Target, passed: PassedRequest): Promise<Response | undefined> {
    const answer = await this.#send(node, passed);
    if (answer === "unanswered") throw unreachable(node);
    return answer === "closed" ? undefined : answer;
  }

  /** The answer of the node with that id. Undefined when it is not there, as far as is known. */
  async of(id: string, passed: PassedRequest): Promise<Response | undefined> {
    const found = this.#options.owners.others.find((node) => node.id === id);
    return found && this.at({ node: id, address: found.address, epoch: 0 }, passed);
  }

  /** The answer of the node that has what is requested. Undefined when there is none. */
  async find(passed: PassedRequest): Promise<Response | undefined> {
    let failure: Response | undefined;
    let found: Response | undefined;
    const asked = new Set<string>();
    const take = async (answer: Response): Promise<boolean> => {
      if (answer.status !== 404 && !isFailure(answer)) {
        found = answer;
        return true;
      }
      // Read to its end, for another node may be waited for.
      const text = await answer.text();
      if (isFailure(answer)) failure ??= new Response(text, answer);
      return false;
    };
    await this.#ask(passed, take, asked);
    if (found !== undefined || failure !== undefined) return found ?? failure;
    // One that came since the last renewal may have it already.
    await this.#options.owners.live();
    await this.#ask(passed, take, asked);
    return found ?? failure;
  }

  /** What all others answer with 200, or the answer of one that fails: what it has is not known. */
  async all(passed: PassedRequest): Promise<readonly NodeAnswer[] | Response> {
    const answers: NodeAnswer[] = [];
    let failure: Response | undefined;
    // One that came since the last renewal may have something already.
    await this.#options.owners.live();
    await this.#ask({ ...passed, breakOff: undefined }, async (answer, node) => {
      const isPart = answer.headers.has("link");
      if (answer.status === 200) answers.push({ node, json: await answer.json(), isPart });
      else if (isFailure(answer)) failure = new Response(await answer.text(), answer);
      else await answer.body?.cancel();
      return failure !== undefined;
    });
    return failure ?? answers;
  }

  /** Asks all others until `take` has enough. One that is gone in the meantime is left out. */
  async #ask(
    passed: PassedRequest,
    take: (answer: Response, node: Target) => Promise<boolean>,
    asked = new Set<string>(),
  ): Promise<void> {
    const { owners } = this.#options;
    await owners.join();
    const until = this.#patience();
    for (;;) {
      let missing: Target | undefined;
      for (const { id, address } of owners.others) {
        if (asked.has(id)) continue;
        const node = { node: id, address, epoch: 0 };
        const answer = await this.#send(node, passed);
        // One that breaks off is as none.
        const isEnough = answer instanceof Response ? await take(answer, node).catch(() => undefined) : undefined;
        if (isEnough === undefined) missing ??= node;
        else asked.add(id);
        if (isEnough === true) return;
      }
      if (missing === undefined) return;
      this.#checkOpen(passed);
      if (performance.now() > until) throw unreachable(missing);
      await delay(PAUSE);
      // It may have left.
      await owners.live();
    }
  }

  /** Nobody waits for an answer any more. */
  #checkOpen({ signal, until }: PassedRequest): void {
    const { closing } = this.#options;
    if (signal.aborted || closing.aborted || until?.aborted === true)
      throw new Problem("closing", "The server is closing.");
  }

  #patience(): number {
    return performance.now() + 2 * this.#options.lease + PATIENCE;
  }

  /**
   * `closed`: nobody listens there, or not for long, and nothing was begun. `unanswered`: what came
   * of it is not known.
   */
  async #send(target: Target, passed: PassedRequest): Promise<Response | "closed" | "unanswered"> {
    const { logTimeout, open, closing } = this.#options;
    const { until = closing } = passed;
    const end = open.begin();
    const waiting = new Waiting(this.#options, target, Math.min(logTimeout, LONG_TIMEOUT) + PATIENCE);
    const over = (): void => {
      waiting.close();
      end();
    };
    let response: Response;
    try {
      response = await signedPost(this.#options, target, {
        path: PASSED,
        type: "application/octet-stream",
        body: packRequest(passed),
        signal: AbortSignal.any([waiting.signal, passed.signal, closing, until]),
      });
    } catch (error) {
      over();
      return wasRefused(error) ? "closed" : "unanswered";
    }
    // A run may take long. A node whose lease is over ends it.
    if (isStream(response)) waiting.stopTimer();
    if (isAnswer(response) && response.status !== 503 && response.status !== 409)
      return unmarkAnswer(response, passedBody(response, passed, over));
    const text = await response.text().catch(() => "");
    over();
    const code = codeIn(text);
    // Nothing was begun.
    if (response.status === 503 || code === "not_owner" || code === "wrong_node") return "closed";
    if (isAnswer(response)) return unmarkAnswer(response, text);
    if (code !== "node_refused") return "unanswered";
    throw new Problem(
      "log_unavailable",
      `The server at ${target.address} accepts nothing from this one. Give both the same \`node.secrets\`.`,
    );
  }
}

/** It lasts for as long as what it tells of. */
function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** What the node has is not known. */
function isFailure({ status }: Response): boolean {
  return status === 429 || status >= 500;
}

function unreachable({ address }: Target): Problem {
  return new Problem(
    "log_unavailable",
    `The server at ${address} cannot be reached. Whether it began what was requested is not known.`,
  );
}

function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return isObject(cause) && cause["code"] === "ECONNREFUSED";
}

function codeIn(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body["code"] : undefined;
  } catch {
    return undefined;
  }
}
