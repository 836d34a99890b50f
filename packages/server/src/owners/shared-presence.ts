// Who is here at the other nodes, and telling them who is here at this one.
//
//   show, hide ──> who is here ──> one signed post to each other node, ten a second at most
//                      ^                             │
//                      └── who is there at a node <──┘   POST /nodes/presence
//
// Invariants:
// - Of each thread that a post names it has all who are there at its sender. So a later one
//   replaces an earlier one. One that comes late, or twice, is known by its number.
// - One post at a time goes to a node. What changes meanwhile is in the next one.
// - The first post to a node that is new here has everything. The node forgets what it was told
//   before, and tells everything too: it may be new here because its lease was over for a while.
// - What a node told is gone when the node is.

import { setTimeout as delay } from "node:timers/promises";
import type { Thread } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import type { Owners } from "./owners.ts";
import { signedPost, type Target } from "./signed-post.ts";

/** The path of the route, after the base path. */
export const TOLD = "/nodes/presence";

/** Milliseconds between two posts to one node. */
const PAUSE = 100;
/** Milliseconds until a post that failed is sent again, and for its answer. */
const PATIENCE = 1_000;
/** Threads in one post. */
const MOST_THREADS = 100;

export interface SharedPresenceOptions {
  readonly owners: Pick<Owners, "id" | "now" | "others">;
  readonly secrets: readonly [string, ...string[]];
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

/** Who is on a thread, and what they work on: it is told as it is. */
type Participant = object;

/** Who is here on one thread. */
interface Presence {
  /** Those who are here in this process. */
  readonly own: readonly Participant[];
  onOwn(onOwn: () => void): void;
  /** Replaces who is there at another node. */
  showOf(node: string, participants: readonly Participant[]): void;
}

/** One post. */
interface Told {
  /** Posts of one start of a process count from 1 on. */
  readonly number: number;
  /** The sender has not told this node anything before, or does not know of it. */
  readonly first: boolean;
  /** By the incarnation of the thread. */
  readonly threads: readonly (readonly [incarnation: string, participants: readonly Participant[]])[];
}

/** Another node. */
interface Peer {
  readonly target: Target;
  /** The incarnations of the threads that it is to be told of. */
  readonly owed: Set<string>;
  /** It was told nothing yet. */
  isNew: boolean;
  isBeingTold: boolean;
}

/** What a node told. */
interface Heard {
  /** Of its newest post. */
  number: number;
  readonly here: Map<string, readonly Participant[]>;
}

export class SharedPresence {
  readonly #options: SharedPresenceOptions;
  /** The threads that are open here, by incarnation. */
  readonly #served = new Map<string, Presence>();
  readonly #peers = new Map<string, Peer>();
  /** By node. One may tell before it is seen here. */
  readonly #heard = new Map<string, Heard>();
  #posts = 0;
  /** Nodes that told something and were not among the others when they were looked for last. */
  #unseen = new Set<string>();

  constructor(options: SharedPresenceOptions) {
    this.#options = options;
  }

  /** The thread was opened here. */
  serve(thread: Pick<Thread, "incarnation" | "onClose">, presence: Presence): void {
    const { incarnation } = thread;
    this.#served.set(incarnation, presence);
    for (const [node, { here }] of this.#heard) presence.showOf(node, here.get(incarnation) ?? []);
    presence.onOwn(() => this.#changed(incarnation));
    thread.onClose(() => {
      if (this.#served.get(incarnation) === presence) this.#served.delete(incarnation);
    });
  }

  /** The other nodes were looked for. */
  look(): void {
    const { others } = this.#options.owners;
    const there = new Set(others.map(({ id }) => id));
    for (const { id, address } of others) {
      if (this.#peers.has(id)) continue;
      const target = { node: id, address, epoch: 0 };
      const peer: Peer = { target, owed: new Set(), isNew: true, isBeingTold: false };
      this.#peers.set(id, peer);
      this.#tellEverything(peer);
    }
    for (const node of this.#heard.keys())
      if (!there.has(node) && (this.#peers.has(node) || this.#unseen.has(node))) this.#forget(node);
    for (const node of this.#peers.keys()) if (!there.has(node)) this.#peers.delete(node);
    this.#unseen = new Set([...this.#heard.keys()].filter((node) => !there.has(node)));
  }

  /** What another node told of who is there. False when it is nothing that a node tells. */
  receive(node: string, body: unknown): boolean {
    const told = toldIn(body);
    if (told === undefined) return false;
    if (told.number <= (this.#heard.get(node)?.number ?? 0)) return true;
    if (told.first) this.#forget(node);
    const heard = this.#heard.get(node) ?? { number: 0, here: new Map<string, readonly Participant[]>() };
    this.#heard.set(node, heard);
    heard.number = told.number;
    for (const [incarnation, participants] of told.threads) {
      if (participants.length > 0) heard.here.set(incarnation, participants);
      else heard.here.delete(incarnation);
      this.#served.get(incarnation)?.showOf(node, participants);
    }
    const peer = this.#peers.get(node);
    if (told.first && peer !== undefined) this.#tellEverything(peer);
    return true;
  }

  #changed(incarnation: string): void {
    for (const peer of this.#peers.values()) {
      peer.owed.add(incarnation);
      this.#tell(peer);
    }
  }

  #tellEverything(peer: Peer): void {
    for (const [incarnation, presence] of this.#served) if (presence.own.length > 0) peer.owed.add(incarnation);
    this.#tell(peer);
  }

  #forget(node: string): void {
    const heard = this.#heard.get(node);
    this.#heard.delete(node);
    for (const incarnation of heard?.here.keys() ?? []) this.#served.get(incarnation)?.showOf(node, []);
  }

  #tell(peer: Peer): void {
    if (!peer.isBeingTold) void this.#tellAll(peer);
  }

  async #tellAll(peer: Peer): Promise<void> {
    const { closing } = this.#options;
    peer.isBeingTold = true;
    const isThere = () => this.#peers.get(peer.target.node) === peer && !closing.aborted;
    while ((peer.isNew || peer.owed.size > 0) && isThere()) {
      const isTold = await this.#post(peer);
      await delay(isTold ? PAUSE : PATIENCE, undefined, { ref: false });
    }
    peer.isBeingTold = false;
  }

  async #post(peer: Peer): Promise<boolean> {
    const { target, owed, isNew: first } = peer;
    const incarnations = [...owed].slice(0, MOST_THREADS);
    for (const incarnation of incarnations) owed.delete(incarnation);
    const threads = incarnations.map((incarnation) => [incarnation, this.#served.get(incarnation)?.own ?? []] as const);
    const told: Told = { number: (this.#posts += 1), first, threads };
    try {
      const answer = await signedPost(this.#options, target, {
        path: TOLD,
        type: "application/json",
        body: JSON.stringify(told),
        signal: AbortSignal.any([this.#options.closing, AbortSignal.timeout(PATIENCE)]),
      });
      await answer.body?.cancel();
      if (answer.ok) {
        peer.isNew = false;
        return true;
      }
    } catch {
      // It is told again, or it is gone.
    }
    for (const incarnation of incarnations) owed.add(incarnation);
    return false;
  }
}

function toldIn(body: unknown): Told | undefined {
  if (!isObject(body)) return undefined;
  const { number, first, threads }: { number?: unknown; first?: unknown; threads?: unknown } = body;
  const isTold =
    Number.isSafeInteger(number) &&
    typeof first === "boolean" &&
    Array.isArray(threads) &&
    threads.every(
      (entry: unknown) =>
        Array.isArray(entry) && typeof entry[0] === "string" && Array.isArray(entry[1]) && entry[1].every(isObject),
    );
  // What another node of the log says is what this one would.
  return isTold ? (body as unknown as Told) : undefined;
}
