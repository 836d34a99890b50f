// A transport that a test drives message by message: each may be delivered, lost, repeated or overtaken, and the line may be cut.

import type { Actor, Submission, Thread, Transport, TransportMessage, TransportStatus } from "@opstate/core";

type Down = TransportMessage | { readonly type: "catch up"; readonly after: number | undefined };

interface Line {
  readonly after: number | undefined;
  readonly onMessage: (message: TransportMessage) => void;
  readonly onStatus: (status: TransportStatus) => void;
}

export class Wire {
  readonly transport: Transport;
  readonly actor: Actor;
  up: Submission[] = [];
  down: Down[] = [];
  connections = 0;
  /** The incarnation that the replica has its state of. */
  following: string | undefined;
  #line: Line | undefined;
  #cut = false;
  /** What the replica has is of another thread, or nothing: until it got a snapshot it cannot go on from a version. */
  #fresh = true;
  #thread: Thread;
  #leave: (() => void)[] = [];

  constructor(thread: Thread, actor: Actor) {
    this.actor = actor;
    this.#thread = thread;
    this.transport = {
      connect: (line) => {
        this.connections += 1;
        this.#line = line;
        this.#fresh = line.after === undefined;
        if (!this.#cut) this.#begin();
        return {
          send: (submission) => {
            if (this.#line === line && !this.#cut) this.up.push(submission);
          },
          close: () => {
            if (this.#line === line) this.#end();
          },
        };
      },
    };
    this.attach(thread);
  }

  /** The authority was restarted: the line goes to the new one. */
  attach(thread: Thread): void {
    for (const leave of this.#leave) leave();
    this.#thread = thread;
    const tell = (message: TransportMessage) => {
      if (this.#line !== undefined && !this.#cut) this.down.push(message);
    };
    this.#leave = [
      thread.onCommit((commit) => tell({ type: "commits", commits: [commit] })),
      thread.onRejection((refusal) => tell({ type: "refusal", refusal })),
    ];
  }

  cut(): void {
    if (this.#cut) return;
    this.#cut = true;
    this.up = [];
    this.down = [];
    this.#line?.onStatus("offline");
  }

  /** The replica's version is in what it passed to `connect`; a transport keeps track of what it delivered since. */
  restore(after: number | undefined): void {
    if (!this.#cut) return;
    this.#cut = false;
    if (this.#line !== undefined) this.#begin(this.#fresh ? undefined : after);
  }

  #begin(after = this.#line?.after): void {
    this.up = [];
    this.down = [{ type: "catch up", after }];
    const line = this.#line;
    line?.onStatus("online");
    // The first word of a connection: it is what the rest is read by.
    if (line === this.#line) line?.onMessage({ type: "welcome", actor: this.actor, incarnation: this.#thread.incarnation });
  }

  #end(): void {
    this.#line = undefined;
    this.up = [];
    this.down = [];
  }

  /** One submission reaches the authority; `keep` leaves a copy on its way. */
  async deliverUp(at: number, keep: boolean): Promise<void> {
    const index = at % this.up.length;
    const submission = this.up[index];
    if (submission === undefined) return;
    if (!keep) this.up.splice(index, 1);
    const line = this.#line;
    const { operation, ...envelope } = submission;
    const verdict = await this.#thread.dispatch(operation as { type: string }, { ...envelope, actor: this.actor }).catch(() => undefined);
    // What the authority could not answer is a broken line.
    if (this.#line !== line || this.#cut) return;
    if (verdict === undefined) this.cut();
    else this.down.push({ type: "verdict", id: submission.id, verdict });
  }

  async deliverDown(at: number, keep: boolean): Promise<void> {
    const index = at % this.down.length;
    const message = this.down[index];
    if (message === undefined) return;
    if (message.type === "catch up") {
      // The authority answers; what it said is on its way like anything else.
      const answer = await this.#catchUp(message.after);
      if (this.down[index] === message) this.down.splice(index, 1, ...answer);
      return;
    }
    if (!keep) this.down.splice(index, 1);
    if (message.type === "snapshot") {
      this.#fresh = false;
      this.following = this.#thread.incarnation;
    }
    this.#line?.onMessage(structuredClone(message));
  }

  async #catchUp(after: number | undefined): Promise<TransportMessage[]> {
    const { version } = this.#thread;
    // Where much is missing, a snapshot stands for it.
    if (after === undefined || after > version || version - after > 3)
      return [{ type: "snapshot", snapshot: { version, state: this.#thread.getState() } }];
    const commits = (await this.#thread.history({ after })).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    return commits.length === 0 ? [] : [{ type: "commits", commits }];
  }

  drop(way: "up" | "down", at: number): void {
    if (this[way].length > 0) this[way].splice(at % this[way].length, 1);
  }

  /** Delivers everything, in order, until nothing is on its way. */
  async drain(): Promise<void> {
    while (this.up.length > 0 || this.down.length > 0) {
      if (this.up.length > 0) await this.deliverUp(0, false);
      if (this.down.length > 0) await this.deliverDown(0, false);
    }
  }
}
