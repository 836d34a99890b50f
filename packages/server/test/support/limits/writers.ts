// Those beside the large requests: each writes one small operation after another, remembers how
// long it waited, and what was acknowledged.

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { asUser } from "../server.ts";

/** Milliseconds between two operations of one writer. */
const PAUSE = 20;
/** As the server's `Retry-After` says. */
const RETRY = 1_000;

export interface Acknowledged {
  readonly id: string;
  readonly version: number;
}

export class Writer {
  readonly threadId: string;
  readonly acknowledged: Acknowledged[] = [];
  readonly waits: number[] = [];
  readonly faults: string[] = [];
  /** Because the server said that it, or its log, was not available. */
  resent = 0;
  /** The longest, and when it began. */
  slowest = { wait: 0, from: 0 };
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, threadId: string, name: string) {
    this.#url = url;
    this.threadId = threadId;
    this.#headers = { ...asUser(name, "read", "write"), "content-type": "application/json" };
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#write();
      await delay(PAUSE);
    }
  }

  /** Sent again with its id while the server is not available: it has one effect. */
  async #write(): Promise<void> {
    const id = randomUUID();
    const start = performance.now();
    while (!(await this.#isAnswered(id))) {
      this.resent += 1;
      await delay(RETRY);
    }
    const wait = performance.now() - start;
    this.waits.push(wait);
    if (wait > this.slowest.wait) this.slowest = { wait, from: start };
  }

  async #isAnswered(id: string): Promise<boolean> {
    try {
      const response = await fetch(`${this.#url}/threads/${this.threadId}/operations`, {
        method: "POST",
        headers: this.#headers,
        body: JSON.stringify({ operation: { type: "increment" }, id }),
      });
      const answer = (await response.json()) as { version?: number };
      if (response.status === 503) return false;
      if (response.status !== 200) this.faults.push(`a writer got ${response.status}: ${JSON.stringify(answer)}`);
      else this.acknowledged.push({ id, version: answer.version ?? 0 });
    } catch (error) {
      this.faults.push(`a writer got no answer: ${String(error)}`);
    }
    return true;
  }
}

/** What was acknowledged and is not in the history once, at its version. */
export async function lostOf(url: string, threadId: string, writers: readonly Writer[]): Promise<readonly string[]> {
  const found = new Map<string, number[]>();
  const headers = asUser("reader", "read");
  for (let after = 0; ;) {
    const response = await fetch(`${url}/threads/${threadId}/history?limit=1000&after=${after}`, { headers });
    const page = (await response.json()) as readonly { commit: { id: string; version: number } }[];
    const last = page.at(-1);
    if (last === undefined) break;
    for (const { commit } of page) found.set(commit.id, [...(found.get(commit.id) ?? []), commit.version]);
    after = last.commit.version;
  }
  return writers
    .filter((writer) => writer.threadId === threadId)
    .flatMap(({ acknowledged }) => acknowledged)
    .filter(({ id, version }) => found.get(id)?.length !== 1 || found.get(id)?.[0] !== version)
    .map(({ id, version }) => `${threadId}: ${id}, acknowledged at ${version}, is at ${String(found.get(id))}`);
}
