// Announces to every process that shares a log whose rights were revoked: by a thread of the log
// that no request reaches, whose commits are the revocations.
//
//   server.revoke ──> checked again here ──> appended ──> Log.watch ──> checked again in the others
//
// Invariants:
// - A process watches while something lasts in it, and no longer: an idle log is not polled.
// - What was revoked between two times of watching is seen at the next.
// - Where it is not known whose rights were revoked, as after a gap, all are checked.
// - No right is lost by it: it only makes others check. Without `watch` they check by themselves.

import { type Actor, defined, OpstateError } from "@opstate/core";
import { type Entry, type FullLog, itemsOfPages, type PageOptions, type ThreadInfo } from "@opstate/core/log";
import { isId, randomId } from "@opstate/core/thread";
import type { Revoked } from "../http/rechecks.ts";
import { REVOCATIONS_ID } from "../log/own-thread.ts";

const DEFINITION = { definition: "opstate revocations", definitionVersion: 1, state: {} };
const SERVER: Actor = { kind: "system", id: "opstate" };
const TYPE = "revoke";

/** Own ones that are remembered. A forgotten one is acted on once more. */
const OWN_LIMIT = 1_000;

/** Revocations that are kept when older ones are forgotten, and how many more there may be. */
const KEPT = 200;
const SLACK = 1_000;

export interface RevocationsOptions {
  readonly log: FullLog;
  readonly onRevoked: (revoked: Revoked) => void;
  readonly onError: (error: unknown) => void;
}

export class Revocations {
  readonly #options: RevocationsOptions;
  /** Of this process: it has acted on them already. */
  readonly #own = new Set<string>();
  /** With "" for an incarnation: nothing was revoked yet. Undefined: it is not known. */
  #seen: { readonly incarnation: string; readonly version: number } | undefined;
  #stopWatching: (() => void) | undefined;
  /** The looks follow each other. */
  #looking: Promise<void> = Promise.resolve();

  constructor(options: RevocationsOptions) {
    this.#options = options;
  }

  watch(): void {
    const { log } = this.#options;
    if (this.#stopWatching || !log.watch) return;
    if (this.#seen === undefined) this.#inTurn(() => this.#begin());
    this.#stopWatching = log.watch(REVOCATIONS_ID, (version, incarnation = "") =>
      this.#inTurn(() => this.#look(version, incarnation)),
    );
  }

  unwatch(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  /** Resolves when the log has it. */
  async publish(revoked: Revoked): Promise<void> {
    const id = randomId();
    if (this.#own.size >= OWN_LIMIT) this.#own.clear();
    this.#own.add(id);
    for (;;) {
      const { version, floor, incarnation } = await this.#thread();
      const thread = this.#options.log.thread(REVOCATIONS_ID, incarnation);
      const { status } = await thread.append({ version }, [entryOf(version + 1, id, revoked)]);
      if (status === "stale" || status === "replaced") continue;
      if (version - floor < KEPT + SLACK) return;
      const last = version + 1 - KEPT;
      await thread.compact({ version: last, state: {}, definitionVersion: 1 });
      await thread.dropReceipts(last);
      return;
    }
  }

  async #thread(): Promise<ThreadInfo> {
    const { log } = this.#options;
    const info = await log.thread(REVOCATIONS_ID).info();
    if (info !== undefined) return info;
    const created = await log.thread(REVOCATIONS_ID, randomId()).create({ ...DEFINITION, at: now() });
    return "info" in created ? created.info : this.#thread();
  }

  #inTurn(look: () => Promise<void>): void {
    this.#looking = this.#looking.then(look).catch(this.#options.onError);
  }

  /** What there is was revoked by others, before or while the first reader came. */
  async #begin(): Promise<void> {
    const info = await this.#options.log.thread(REVOCATIONS_ID).info();
    this.#seen ??= { incarnation: info?.incarnation ?? "", version: info?.version ?? 0 };
    if (info !== undefined) this.#options.onRevoked({});
  }

  async #look(version: number, incarnation: string): Promise<void> {
    const seen = this.#seen;
    if (incarnation === "" || (seen?.incarnation === incarnation && seen.version >= version)) return;
    this.#seen = { incarnation, version };
    const { onRevoked } = this.#options;
    if (seen === undefined || (seen.incarnation !== "" && seen.incarnation !== incarnation)) return onRevoked({});
    let next = seen.version + 1;
    const read = (page: PageOptions) =>
      this.#options.log
        .thread(REVOCATIONS_ID, incarnation)
        .commits({ ...page, after: seen.version, before: version + 1 })
        .catch((error: unknown) => {
          onRevoked({});
          throw error;
        });
    for await (const commit of itemsOfPages(read)) {
      if (commit.version !== next) return onRevoked({});
      next += 1;
      if (!this.#own.delete(commit.id)) onRevoked(revokedBy(commit.operation));
    }
    if (next <= version) onRevoked({});
  }
}

/** Throws an OpstateError `invalid_id` for what is no actor or no thread. */
export function checkRevoked({ actor, threadId }: Revoked): Revoked {
  if (actor !== undefined && !(isId(actor.kind) && isId(actor.id)))
    throw new OpstateError("invalid_id", "`actor` of `revoke` must be { kind, id }, both ids.");
  if (threadId !== undefined && !isId(threadId))
    throw new OpstateError("invalid_id", "`threadId` of `revoke` must be the id of a thread.");
  return defined({ actor: actor && { kind: actor.kind, id: actor.id }, threadId });
}

function entryOf(version: number, id: string, revoked: Revoked): Entry {
  return {
    receipt: { actor: SERVER, id, hash: id, outcome: { accepted: true, version } },
    commit: {
      version,
      id,
      operation: { type: TYPE, ...revoked },
      actor: SERVER,
      at: now(),
      patches: [],
      inverse: [],
      definitionVersion: 1,
    },
  };
}

/** Of the log's own commits, so its members are what `checkRevoked` gave. */
function revokedBy(operation: object): Revoked {
  const { actor, threadId }: { actor?: Actor; threadId?: string } = operation;
  return defined({ actor, threadId });
}

function now(): string {
  return new Date().toISOString();
}
