// A connection that records its messages and statuses, so that a case can wait for one of them
// instead of for time to pass.

import type { Transport, TransportConnection, TransportMessage, TransportStatus } from "../../replica/transport.ts";
import type { Commit, Refusal, Snapshot, Submission, Verdict } from "../../thread/commit.ts";

export class ConnectionProbe {
  readonly #messages: TransportMessage[] = [];
  readonly #statuses: TransportStatus[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #connection: TransportConnection;

  constructor(transport: Transport, after: number | undefined) {
    this.#connection = transport.connect({
      after,
      onMessage: (message) => this.#record(() => this.#messages.push(message)),
      onStatus: (status) => this.#record(() => this.#statuses.push(status)),
    });
  }

  #record(record: () => void): void {
    record();
    for (const check of this.#waiting) check();
  }

  /** Resolves with the result of `find` as soon as there is one. `_what` documents the case. */
  until<T>(_what: string, find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const check = () => {
        const found = find();
        if (found === undefined) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
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

  eventCount(): number {
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

  /** Resolves when commits, or a snapshot instead of them, reach a version. */
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
