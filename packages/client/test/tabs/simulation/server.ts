// The server of a simulated world, and the connection of one tab to it. What goes up or down takes
// its time, and is lost when the connection is cut.

import { type Actor, type Commit, defineState, type Verdict } from "@opstate/core";
import type { Submission } from "@opstate/core/transport";
import { z } from "zod";
import type { Carrier, CarrierConnection, CarrierListener, CarrierMessage } from "../../../src/carrier.ts";
import { insist } from "../../../../core/test/simulation/laws/violation.ts";
import type { Tasks } from "./tasks.ts";

export const tally = defineState({
  name: "tally",
  schema: z.object({ marks: z.array(z.string()) }),
  initial: { marks: [] },
  operations: {
    mark: {
      input: z.object({ name: z.string() }),
      apply(draft, { name }, { reject }) {
        if (name.endsWith("!")) return reject("loud", "Not so loud.");
        draft.marks.push(name);
      },
    },
  },
});

interface Thread {
  state: { readonly marks: readonly string[] };
  readonly commits: Commit[];
  /** By actor and id. */
  readonly receipts: Map<string, { readonly text: string; readonly verdict: Verdict }>;
}

export class Server {
  readonly threads = new Map<string, Thread>();
  readonly connections = new Set<SimulatedConnection>();

  thread(id: string): Thread {
    const thread = this.threads.get(id) ?? { state: tally.initial, commits: [], receipts: new Map() };
    this.threads.set(id, thread);
    return thread;
  }

  submit(threadId: string, actor: Actor, { id, operation }: Submission): Verdict {
    const thread = this.thread(threadId);
    const text = JSON.stringify(operation);
    const key = JSON.stringify([actor.id, id]);
    const before = thread.receipts.get(key);
    insist(before === undefined || before.text === text, () => `${key} was sent with two effects`);
    if (before !== undefined) return before.verdict;
    insist(id.startsWith(`${actor.id} `) || id.startsWith("? "), () => `${actor.id} sent the edit "${id}" of another`);
    const step = tally.transition(thread.state, operation, { actor, id });
    const version = thread.commits.length + (step.accepted ? 1 : 0);
    let verdict: Verdict;
    if (step.accepted) {
      const { operation: accepted, patches, inverse } = step;
      const at = "2026-01-01T00:00:00.000Z";
      const commit: Commit = { version, id, operation: accepted, actor, at, patches, inverse, definitionVersion: 1 };
      thread.state = step.state;
      thread.commits.push(commit);
      for (const connection of this.connections) connection.onCommit(threadId, commit);
      verdict = { accepted: true, version, commit };
    } else verdict = { accepted: false, version, rejection: step.rejection, attempt: 1 };
    thread.receipts.set(key, { text, verdict });
    return verdict;
  }
}

export interface SimulatedCarrierOptions {
  readonly tasks: Tasks;
  readonly server: Server;
  readonly tab: string;
  /** Who this tab is signed in as now. */
  credentials(): Actor;
  isReachable(): boolean;
}

export function simulatedCarrier(options: SimulatedCarrierOptions): Carrier {
  return { open: (listener) => new SimulatedConnection(options, listener) };
}

export class SimulatedConnection implements CarrierConnection {
  readonly #options: SimulatedCarrierOptions;
  readonly #listener: CarrierListener;
  /** Threads that are followed, and whether the server has begun with them. */
  readonly follows = new Map<string, boolean>();
  /** Counts the beginnings of each thread: what was on its way before is lost. */
  readonly #turns = new Map<string, number>();
  actor: Actor | undefined;
  /** Counts the connections: what belongs to an earlier one is lost. */
  #epoch = 0;
  #isConnecting = false;
  #isClosed = false;

  constructor(options: SimulatedCarrierOptions, listener: CarrierListener) {
    this.#options = options;
    this.#listener = listener;
    options.server.connections.add(this);
  }

  get tab(): string {
    return this.#options.tab;
  }

  follow(id: string): void {
    this.follows.set(id, false);
    this.#turns.set(id, (this.#turns.get(id) ?? 0) + 1);
    // A carrier may or may not say that it begins again.
    if (id.endsWith("0")) this.#listener.onStatus(id, "connecting");
    if (this.actor === undefined) this.#connect();
    else this.#up(() => this.#begin(id));
  }

  unfollow(id: string): void {
    this.follows.delete(id);
  }

  send(id: string, submission: Submission): void {
    const { actor } = this;
    if (actor === undefined || this.follows.get(id) !== true) return;
    const copy = structuredClone(submission);
    const turn = this.#turns.get(id);
    // What is not on its way yet is lost when the thread begins again.
    const isLost = () => this.#turns.get(id) !== turn;
    this.#up(() => {
      if (isLost() && copy.id.endsWith("1")) return;
      const verdict = this.#options.server.submit(id, actor, copy);
      if (!isLost()) this.#message(id, { type: "verdict", id: copy.id, verdict });
    });
  }

  show(): void {}

  retry(): void {
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
    this.#options.server.connections.delete(this);
  }

  /** The network breaks. */
  cut(): void {
    if (this.#isClosed) return;
    this.#end();
    const { tasks, tab } = this.#options;
    tasks.add(tab, "network", () => {
      if (this.#isClosed || this.actor !== undefined) return;
      for (const id of [...this.follows.keys()]) this.#listener.onStatus(id, "offline");
      this.#connect();
    });
  }

  onCommit(id: string, commit: Commit): void {
    if (this.follows.get(id) === true) this.#message(id, { type: "commits", commits: [commit] });
  }

  #end(): void {
    this.actor = undefined;
    this.#epoch += 1;
    for (const id of this.follows.keys()) this.follows.set(id, false);
  }

  #connect(): void {
    if (this.#isConnecting || this.#isClosed) return;
    this.#isConnecting = true;
    const { tasks, tab, credentials, isReachable } = this.#options;
    tasks.add(tab, "network", () => {
      this.#isConnecting = false;
      if (this.#isClosed || this.actor !== undefined || this.follows.size === 0) return;
      if (!isReachable()) {
        for (const id of [...this.follows.keys()]) this.#listener.onStatus(id, "offline");
        return;
      }
      for (const id of [...this.follows.keys()]) this.#listener.onStatus(id, "connecting");
      this.actor = credentials();
      const { actor } = this;
      this.#down(() => this.#listener.onActor(actor));
      for (const id of [...this.follows.keys()]) this.#begin(id);
    });
  }

  /** The server begins with a thread, from where the tab says. */
  #begin(id: string): void {
    const { actor } = this;
    if (actor === undefined || !this.follows.has(id)) return;
    const { after, incarnation } = this.#listener.position(id);
    const { state, commits } = this.#options.server.thread(id);
    this.follows.set(id, true);
    this.#message(id, { type: "welcome", actor, incarnation: `${id} i` });
    const version = commits.length;
    if (after === undefined || (incarnation !== undefined && incarnation !== `${id} i`))
      this.#message(id, { type: "snapshot", snapshot: { version, state } });
    else if (after < version) this.#message(id, { type: "commits", commits: commits.slice(after) });
    const turn = this.#turns.get(id);
    this.#down(() => {
      if (this.#turns.get(id) === turn && this.follows.has(id)) this.#listener.onStatus(id, "online");
    });
  }

  #message(id: string, message: CarrierMessage): void {
    // What only this actor may see.
    const secret = { ...structuredClone(message), seenBy: this.actor?.id };
    const turn = this.#turns.get(id);
    this.#down(() => {
      if (this.#turns.get(id) === turn && this.follows.has(id)) this.#listener.onMessage(id, secret);
    });
  }

  #down(call: () => void): void {
    const epoch = this.#epoch;
    this.#options.tasks.add(this.tab, "network", () => {
      if (epoch === this.#epoch && !this.#isClosed) call();
    });
  }

  /** What is on its way up arrives although its tab ends. */
  #up(call: () => void): void {
    const epoch = this.#epoch;
    this.#options.tasks.add("server", this.tab, () => {
      if (epoch === this.#epoch || this.#isClosed) call();
    });
  }
}
