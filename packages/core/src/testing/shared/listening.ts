// A connection that remembers what it heard, so that a case can wait for a thing to arrive instead
// of for time to pass.

import type { Transport, TransportConnection, TransportMessage, TransportStatus } from "../../replica/transport.ts";
import type { Commit, Refusal, Snapshot, Submission, Verdict } from "../../thread/commit.ts";

export class Listening {
  readonly #messages: TransportMessage[] = [];
  readonly #statuses: TransportStatus[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #connection: TransportConnection;

  constructor(transport: Transport, after: number | undefined) {
    this.#connection = transport.connect({
      after,
      onMessage: (message) => this.#hear(() => this.#messages.push(message)),
      onStatus: (status) => this.#hear(() => this.#statuses.push(status)),
    });
  }

  #hear(note: () => void): void {
    note();
    for (const look of this.#waiting) look();
  }

  /** Resolves with what `find` finds, as soon as it does. `what` is for the reader of the case. */
  until<T>(_what: string, find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  send(submission: Submission): void {
    this.#connection.send(submission);
  }

  close(): void {
    this.#connection.close();
  }

  statuses(): readonly TransportStatus[] {
    return this.#statuses;
  }

  heard(): number {
    return this.#messages.length + this.#statuses.length;
  }

  online(): Promise<unknown> {
    return this.until("online", () => (this.#statuses.at(-1) === "online" ? true : undefined));
  }

  async ready(): Promise<void> {
    await Promise.all([this.snapshot(), this.online()]);
  }

  snapshots(): readonly Snapshot[] {
    return this.#messages.flatMap((message) => (message.type === "snapshot" ? [message.snapshot] : []));
  }

  snapshot(): Promise<Snapshot> {
    return this.until("a snapshot", () => this.snapshots()[0]);
  }

  incarnation(): Promise<string> {
    return this.until("a welcome", () => this.#messages.find((message) => message.type === "welcome")?.incarnation);
  }

  commits(): readonly Commit[] {
    return this.#messages.flatMap((message) => (message.type === "commits" ? message.commits : []));
  }

  versions(): readonly number[] {
    return this.commits().map(({ version }) => version);
  }

  commit(version: number): Promise<Commit> {
    return this.until(`commit ${version}`, () => this.commits().find((commit) => commit.version === version));
  }

  /** By commits, or by a snapshot in their place. */
  reached(version: number): Promise<unknown> {
    return this.until(`version ${version}`, () =>
      [...this.versions(), ...this.snapshots().map((snapshot) => snapshot.version)].includes(version)
        ? true
        : undefined,
    );
  }

  verdicts(): readonly Verdict[] {
    return this.#messages.flatMap((message) => (message.type === "verdict" ? [message.verdict] : []));
  }

  verdict(id: string): Promise<Verdict> {
    return this.until(
      `the verdict on ${id}`,
      () =>
        this.#messages.flatMap((message) =>
          message.type === "verdict" && message.id === id ? [message.verdict] : [],
        )[0],
    );
  }

  refusal(id: string): Promise<Refusal> {
    return this.until(
      `the refusal of ${id}`,
      () =>
        this.#messages.flatMap((message) =>
          message.type === "refusal" && message.refusal.id === id ? [message.refusal] : [],
        )[0],
    );
  }
}
