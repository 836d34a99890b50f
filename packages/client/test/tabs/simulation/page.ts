// One tab of a simulated world: its carrier, its replicas, and what it was told.
//
// Checked here:
// - Whatever reaches the tab was seen by the actor that it was told to be.
// - It is told that it is online only after a message of the present connection.
// - Every edit gets its verdict.

import { type Actor, createReplica, type Replica, type Verdict } from "@opstate/core";
import { insist } from "../../../../core/test/simulation/laws/violation.ts";
import { SharedConnection } from "../../../src/connection/shared-connection.ts";
import type { Carrier } from "../../../src/carrier.ts";
import { tally } from "./server.ts";

export class Page {
  readonly tab: string;
  readonly replicas = new Map<string, Replica<typeof tally>>();
  isFrozen = false;
  /** As the tab was told. */
  actor: Actor | undefined;
  readonly #connection: SharedConnection;
  readonly #statuses = new Map<string, { status: string; isSilent: boolean }>();
  /** Whom each replica knows that it submits for. */
  readonly #submitters = new Map<string, string>();
  readonly #verdicts = new Map<string, Verdict | "closed" | undefined>();

  constructor(tab: string, carrier: Carrier) {
    this.tab = tab;
    this.#connection = new SharedConnection(this.#watched(carrier), (actor) => {
      this.actor = actor;
    });
  }

  follow(thread: string): void {
    if (this.replicas.has(thread)) return;
    this.#submitters.delete(thread);
    const transport = this.#connection.transport(thread, undefined, {});
    this.replicas.set(thread, createReplica({ definition: tally, transport }));
  }

  unfollow(thread: string): void {
    this.replicas.get(thread)?.close();
    this.replicas.delete(thread);
  }

  edit(thread: string, number: number, name: string): void {
    const replica = this.replicas.get(thread);
    if (replica === undefined) return;
    const id = `${this.#submitters.get(thread) ?? "?"} ${number}`;
    this.#verdicts.set(id, undefined);
    void replica.dispatch(tally.op.mark({ name }), { id }).then(
      (verdict) => this.#verdicts.set(id, verdict),
      () => this.#verdicts.set(id, "closed"),
    );
  }

  close(): void {
    for (const thread of [...this.replicas.keys()]) this.unfollow(thread);
    this.#connection.close();
  }

  /** Everything has been delivered. */
  checkEnd(marksOf: (thread: string) => readonly string[]): void {
    for (const [id, verdict] of this.#verdicts) insist(verdict !== undefined, () => `"${id}" never got its verdict`);
    for (const [thread, replica] of this.replicas) {
      const { status, pending } = replica.sync.getState();
      insist(status === "online", () => `${this.tab} ends ${status} with ${thread}`);
      insist(pending.length === 0, () => `${this.tab} ends with edits that wait`);
      const [shown, marks] = [JSON.stringify(replica.getState().marks), JSON.stringify(marksOf(thread))];
      insist(shown === marks, () => `${this.tab} shows ${shown} of ${thread}, which has ${marks}`);
    }
  }

  #watched(carrier: Carrier): Carrier {
    return {
      open: (listener) =>
        carrier.open({
          onActor: (actor) => listener.onActor(actor),
          position: (thread) => listener.position(thread),
          onMessage: (thread, message) => {
            const { seenBy } = message as { seenBy?: string };
            insist(
              seenBy === this.actor?.id,
              () => `${seenBy}'s ${message.type} reached ${this.tab} of ${this.actor?.id}`,
            );
            const now = this.#statuses.get(thread);
            if (now !== undefined) now.isSilent = false;
            if (message.type === "welcome") this.#submitters.set(thread, message.actor.id);
            listener.onMessage(thread, message);
          },
          onStatus: (thread, status, error) => {
            const before = this.#statuses.get(thread);
            const isSilent = before === undefined || (before.isSilent && before.status !== "online");
            insist(status !== "online" || !isSilent, () => `${this.tab} is online with ${thread} before any message`);
            this.#statuses.set(thread, { status, isSilent: status !== "online" });
            listener.onStatus(thread, status, error);
          },
        }),
    };
  }
}
