// Records what a server acknowledged to several writers, and checks that it still holds.

import { addCard } from "../board.ts";
import { send } from "../server.ts";

interface ThreadLedger {
  /** Versions by submission id. */
  readonly acknowledged: Map<string, number>;
  /** Sent without a response: these may have happened or not. */
  readonly unanswered: Set<string>;
  /** The ids of the history read so far, in order. */
  readonly ids: string[];
}

const PAGE_SIZE = 1_000;
/** How many of the newest acknowledged submissions are sent again. */
const RESEND_COUNT = 5;

export class Ledger {
  readonly #threads: ReadonlyMap<string, ThreadLedger>;
  readonly #url: () => string;
  #count = 0;
  /** Submissions that were durable without a response. */
  unanswered = 0;
  resent = 0;

  constructor(threadIds: readonly string[], url: () => string) {
    this.#url = url;
    this.#threads = new Map(
      threadIds.map((threadId) => [threadId, { acknowledged: new Map(), unanswered: new Set(), ids: [] }]),
    );
  }

  get acknowledged(): number {
    return [...this.#threads.values()].reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  }

  async createThreads(): Promise<void> {
    for (const threadId of this.#threads.keys())
      await send(`${this.#url()}/threads/${threadId}`, "PUT", { definition: "board" }, {});
  }

  /**
   * Runs some writers per thread. Each sends one operation after another until one gets no response
   * or `stop` aborts.
   */
  async write(writers: number, stop: AbortSignal): Promise<void> {
    const all = [...this.#threads].flatMap(([threadId, ledger]) =>
      Array.from({ length: writers }, () => this.#writeTo(threadId, ledger, stop)),
    );
    await Promise.all(all);
  }

  async #writeTo(threadId: string, { acknowledged, unanswered }: ThreadLedger, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const id = `${threadId}-${(this.#count += 1)}`;
      const version = await this.#submit(threadId, id).catch(() => undefined);
      if (version === undefined) return void unanswered.add(id);
      acknowledged.set(id, version);
    }
  }

  async #submit(threadId: string, id: string): Promise<number> {
    const { status, body } = await send(
      `${this.#url()}/threads/${threadId}/operations`,
      "POST",
      { id, operation: addCard(id) },
      {},
    );
    if (status !== 200 || body.accepted !== true) throw new Error(`${id} got ${status}: ${JSON.stringify(body)}`);
    return body.version;
  }

  /**
   * Checks that versions have no gaps and never change, that every acknowledged operation is there,
   * and that a submission that is sent again (twice at once) has one effect.
   */
  async check(): Promise<void> {
    for (const [threadId, ledger] of this.#threads) {
      await this.#read(threadId, ledger);
      const { acknowledged, unanswered, ids } = ledger;
      const versions = new Map(ids.map((id, index) => [id, index + 1]));
      if (versions.size < ids.length) throw new Error(`An id of ${threadId} has two effects.`);
      for (const [id, version] of acknowledged)
        if (versions.get(id) !== version)
          throw new Error(`${id} was acknowledged at version ${version}, and is at ${versions.get(id)}.`);
      for (const id of [...unanswered, ...[...acknowledged.keys()].slice(-RESEND_COUNT)]) {
        const [first, second] = await Promise.all([this.#submit(threadId, id), this.#submit(threadId, id)]);
        const there = versions.get(id) ?? first;
        if (first !== there || second !== there)
          throw new Error(`${id} is at version ${there}; sent again it got ${first} and ${second}.`);
        if (unanswered.has(id) && versions.has(id)) this.unanswered += 1;
        this.resent += 2;
        acknowledged.set(id, first);
      }
      unanswered.clear();
    }
  }

  async #read(threadId: string, { ids }: ThreadLedger): Promise<void> {
    for (let page = PAGE_SIZE; page === PAGE_SIZE;) {
      const query = `after=${ids.length}&limit=${PAGE_SIZE}`;
      const { status, body } = await send(`${this.#url()}/threads/${threadId}/history?${query}`, "GET", undefined, {});
      if (status !== 200) throw new Error(`The history of ${threadId} got ${status}.`);
      for (const { commit } of body) {
        if (commit.version !== ids.length + 1)
          throw new Error(`Version ${commit.version} of ${threadId} comes after ${ids.length}.`);
        ids.push(commit.id);
      }
      page = body.length;
    }
  }

  /**
   * Checks that the whole history is the same as before, and that the state has every card once.
   */
  async checkWhole(): Promise<void> {
    for (const [threadId, ledger] of this.#threads) {
      const before = ledger.ids.splice(0);
      await this.#read(threadId, ledger);
      if (before.some((id, index) => ledger.ids[index] !== id))
        throw new Error(`The history of ${threadId} has changed.`);
      const { body } = await send(`${this.#url()}/threads/${threadId}`, "GET", undefined, {});
      const [column] = body.state.columns;
      const cards: string[] = column.cards.map(({ cardId }: { cardId: string }) => cardId);
      const { ids } = ledger;
      if (
        cards.length !== ids.length ||
        column.cardCount !== ids.length ||
        ids.some((id, index) => cards[index] !== id)
      )
        throw new Error(
          `The state of ${threadId} has ${cards.length} cards, which are not those of its ${ids.length} commits.`,
        );
    }
  }
}
