// A visitor's own board: a thread that its token alone opens, with a quota, deleted after a day.
//
// Invariants:
// - No one reads or writes a visit's thread without its token.
// - A token opens its own thread and no other.
// - What an expired visit has left is deleted when the next one begins, and once an hour.

import { type Log, openThread } from "@opstate/core";
import { board, sampleBoard } from "@opstate/kanban-domain";
import {
  newVisitId,
  type OpenedVisit,
  readVisitToken,
  type TokenHolder,
  visitCreatedAt,
  visitToken,
} from "./visit-token.ts";

export interface Visit {
  readonly threadId: string;
  /** For each holder. A browser keeps both, and sends the first one. */
  readonly tokens: Readonly<Record<TokenHolder, string>>;
  readonly expiresAt: string;
}

export interface VisitsOptions {
  readonly log: Log;
  /** Signs the tokens: at least 32 bytes. With another one, earlier tokens open nothing. */
  readonly secret: Uint8Array;
  /** Default: the system's clock, in ms. */
  readonly now?: (() => number) | undefined;
  /** How many visits may be there at once. Default 500. */
  readonly limit?: number | undefined;
  /** What the requests of one visit may cost in all. Default 20,000. */
  readonly quota?: number | undefined;
}

export const VISIT_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

/** What requests cost: each 1, one that runs the agent more, a body by its length. */
const RUN_COST = 50;
const BYTES_FOR_ONE = 4_096;

export class Visits {
  readonly #log: Log;
  readonly #secret: Uint8Array;
  readonly #now: () => number;
  readonly #limit: number;
  readonly #quota: number;
  readonly #spent = new Map<string, number>();
  readonly #sweeping: NodeJS.Timeout;

  constructor({ log, secret, now = Date.now, limit = 500, quota = 20_000 }: VisitsOptions) {
    if (secret.byteLength < 32) throw new RangeError("`secret` must have at least 32 bytes.");
    this.#log = log;
    this.#secret = secret;
    this.#now = now;
    this.#limit = limit;
    this.#quota = quota;
    // What a sweep could not delete, the next one deletes.
    this.#sweeping = setInterval(() => void this.#sweep().catch(() => undefined), HOUR_MS).unref();
  }

  /** A new board for one visitor; undefined while there are too many. */
  async begin(): Promise<Visit | undefined> {
    if ((await this.#sweep()) >= this.#limit) return undefined;
    const createdAt = this.#now();
    const threadId = newVisitId(createdAt);
    const thread = await openThread({ definition: board, log: this.#log, threadId });
    await thread.dispatch(
      { type: "$replace", value: sampleBoard },
      { actor: { kind: "system", id: "demo" }, id: `sample-${threadId}` },
    );
    await thread.close();
    const token = (holder: TokenHolder) => visitToken(this.#secret, { threadId, holder });
    return {
      threadId,
      tokens: { user: token("user"), agent: token("agent") },
      expiresAt: new Date(createdAt + VISIT_MS).toISOString(),
    };
  }

  /** What a token opens, and until when; undefined for a wrong token, and after its day. */
  open(token: string): (OpenedVisit & { readonly expiresAt: Date }) | undefined {
    const visit = readVisitToken(this.#secret, token);
    if (visit === undefined) return undefined;
    const expiresAt = (visitCreatedAt(visit.threadId) ?? 0) + VISIT_MS;
    return this.#now() < expiresAt ? { ...visit, expiresAt: new Date(expiresAt) } : undefined;
  }

  /** Counts a request against its visit's quota. Seconds to wait; 0: it may go on. */
  admit(request: Request): number {
    const visit = this.open(bearerOf(request) ?? "");
    if (visit === undefined) return 0;
    const spent = this.#spent.get(visit.threadId) ?? 0;
    if (spent >= this.#quota) return Math.ceil((visit.expiresAt.getTime() - this.#now()) / 1000);
    this.#spent.set(visit.threadId, spent + costOf(request));
    return 0;
  }

  close(): void {
    clearInterval(this.#sweeping);
  }

  /** Deletes the visits whose day is over. Resolves to how many are left. */
  async #sweep(): Promise<number> {
    let left = 0;
    for (const { threadId } of await this.#log.list({ parent: null })) {
      const createdAt = visitCreatedAt(threadId);
      if (createdAt === undefined) continue;
      left += 1;
      if (this.#now() < createdAt + VISIT_MS) continue;
      await deleteTree(this.#log, threadId);
      this.#spent.delete(threadId);
      left -= 1;
    }
    return left;
  }
}

/** A thread and its branches, the branches first. */
async function deleteTree(log: Log, threadId: string): Promise<void> {
  for (const branch of await log.list({ parent: threadId })) await deleteTree(log, branch.threadId);
  await log.delete(threadId);
}

export const bearerOf = (request: Request): string | undefined =>
  /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1];

function costOf(request: Request): number {
  const isRun = request.method === "POST" && new URL(request.url).pathname.startsWith("/ag-ui/");
  const bytes = Number(request.headers.get("content-length") ?? 0);
  return (isRun ? RUN_COST : 1) + (Number.isFinite(bytes) ? Math.floor(bytes / BYTES_FOR_ONE) : 0);
}
