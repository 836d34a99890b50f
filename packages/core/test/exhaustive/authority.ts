// An authority of the model: the step function of the product, and what `authority.ts` keeps beside
// its loop. Each call of the log is sent, done at the log, and answered, at three moments; what is
// done in memory begins at one moment and is reported to the loop at another.
//
//   sent ──> at the log ──> answered ──> an event of the loop ──> effects: the next work
//
// Not in the model: compaction, the numbering of refusals, the token of a head, receipts that
// expire.
//
// Invariant: nothing here is changed in place. What a moment makes of an authority is another one.
//
// (Long because the effects of the loop are here one after another, as in `authority.ts`.)

import type { Effect, Loop, LoopEvent, Step } from "../../src/thread/authority/step.ts";
import type { AppendAnswer, AppendCall, StoredCommit, StoredReceipt } from "./log.ts";
import type { Judged, Told } from "./operations.ts";
import { Remembered } from "./remembered.ts";

export interface Steps {
  step(loop: Loop, event: LoopEvent): Step;
  restingLoop(version: number): Loop;
}

/** One sending of an operation. */
export interface Attempt {
  readonly id: string;
  /** The head of the log when it was sent, where the verdict depends on it. */
  readonly since: number;
  /** It was set aside, and is worked out. */
  readonly isWorkedOut: boolean;
}

/** The request, and the answer when there is one. */
export type Work =
  | { readonly do: "gather" | "dequeue" | "judge" | "publish" | "restore"; readonly isDone: boolean }
  | {
      readonly do: "read";
      readonly head: number | undefined;
      readonly after: number;
      readonly answer?: { readonly commits: readonly StoredCommit[]; readonly isMore: boolean; readonly owed: number };
    }
  | { readonly do: "lookUp"; readonly answer?: readonly StoredReceipt[] }
  | { readonly do: "append"; readonly call: AppendCall; readonly answer?: AppendAnswer };

export interface ModelAuthority {
  readonly life: "live" | "down" | "opening";
  readonly loop: Loop;
  readonly queue: readonly Attempt[];
  readonly batch: readonly Attempt[];
  /** Empty: not read yet, or nothing is known. */
  readonly known: readonly StoredReceipt[] | undefined;
  readonly judged: readonly Judged[];
  readonly works: readonly Work[];
  readonly aside: readonly Attempt[];
  readonly isRetryDue: boolean;
  /** What it shows to all: the commits that it has confirmed. */
  readonly confirmed: readonly StoredCommit[];
  /** The newest head that the log announced, while the hint is under way; 0: none. */
  readonly hint: number;
  /** The newest head that arrived, while it has neither seen it nor read since; 0: none. */
  readonly owed: number;
}

/** An authority after a moment, and what it reported meanwhile. */
export interface Moved {
  readonly authority: ModelAuthority;
  readonly told: readonly { readonly attempt: Attempt; readonly told: Told }[];
  /** It closes: what it read of its log does not fit together. */
  readonly isCorrupt: boolean;
}

export type JudgeBatch = (
  confirmed: readonly string[],
  batch: readonly string[],
  known: readonly StoredReceipt[] | undefined,
) => readonly Judged[];

export interface Shell {
  readonly steps: Steps;
  /** Work in memory leaves others time to run in between. Else it ends in the moment it begins. */
  readonly isPaced: boolean;
  readonly judge: JudgeBatch;
  isApart(id: string): boolean;
  isMerge(id: string): boolean;
  isLong(id: string): boolean;
}

const FAILED: Told = { verdict: "failed", version: 0 };
const ERROR = "the log does not answer";

export function versionOf({ confirmed }: ModelAuthority): number {
  return confirmed.at(-1)?.version ?? 0;
}

export function opened(steps: Steps, confirmed: readonly StoredCommit[]): ModelAuthority {
  const loop = steps.restingLoop(confirmed.at(-1)?.version ?? 0);
  return { ...down(loop), life: "live", confirmed };
}

/** Nothing of its memory is left. `loop` is never looked at. */
export function down(loop: Loop): ModelAuthority {
  return {
    life: "down",
    loop,
    queue: [],
    batch: [],
    known: undefined,
    judged: [],
    works: [],
    aside: [],
    isRetryDue: false,
    confirmed: [],
    hint: 0,
    owed: 0,
  };
}

/** What it has not answered. */
export function unanswered({ queue, batch, aside }: ModelAuthority): readonly Attempt[] {
  return [...queue, ...batch, ...aside];
}

/** The moments of one authority. */
export class Moments {
  readonly #shell: Shell;
  readonly #remembered = new Remembered();

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  submit(authority: ModelAuthority, attempt: Attempt): Moved {
    return this.#once(authority, `submit ${attempt.id} ${attempt.since}`, () =>
      this.#happened({ ...authority, queue: [...authority.queue, attempt] }, { type: "submitted" }),
    );
  }

  hear(authority: ModelAuthority, head: number): Moved {
    return this.#once(authority, `hear ${head}`, () => {
      const owed = head > versionOf(authority) ? Math.max(authority.owed, head) : authority.owed;
      const hint = head === authority.hint ? 0 : authority.hint;
      return this.#happened({ ...authority, hint, owed }, { type: "announced", head });
    });
  }

  retry(authority: ModelAuthority): Moved {
    return this.#once(authority, "retry", () =>
      this.#happened({ ...authority, isRetryDue: false }, { type: "retryDue" }),
    );
  }

  /** What was set aside is worked out: it comes before what waits. */
  workOut(authority: ModelAuthority): Moved {
    return this.#once(authority, "work out", () => {
      const queue = [...authority.aside.map((attempt) => ({ ...attempt, isWorkedOut: true })), ...authority.queue];
      return this.#happened({ ...authority, aside: [], queue }, { type: "submitted" });
    });
  }

  /** A call of the log failed, or was cancelled. */
  fail(authority: ModelAuthority, place: number, isTimedOut: boolean): Moved {
    return this.#once(authority, `fail ${place} ${isTimedOut}`, () => {
      const version = versionOf(authority);
      const after = without(authority, authority.works[place]);
      return this.#happened(after, { type: "failed", version, error: ERROR, isTimedOut });
    });
  }

  /** Work in memory goes on, or an answer of the log arrives. */
  goOn(authority: ModelAuthority, place: number): Moved {
    return this.#once(authority, `go on ${place}`, () => {
      const work = authority.works[place];
      return work === undefined ? still(authority) : this.#goOn(without(authority, work), work);
    });
  }

  /** What it is given, and what it does in the same moment. */
  #once(authority: ModelAuthority, key: string, make: () => Moved): Moved {
    return this.#remembered.of(authority, key, () => {
      let moved = make();
      while (!this.#shell.isPaced) {
        const work = moved.authority.works.find(isInMemory);
        if (work === undefined) break;
        const { authority, told, isCorrupt } = this.#goOn(without(moved.authority, work), work);
        moved = { authority, told: [...moved.told, ...told], isCorrupt: isCorrupt || moved.isCorrupt };
      }
      return moved;
    });
  }

  #goOn(after: ModelAuthority, work: Work): Moved {
    switch (work.do) {
      case "gather":
        return this.#happened(after, { type: "gathered" });
      case "dequeue":
        return this.#dequeue(after);
      case "judge":
        return work.isDone ? this.#happened(after, { type: "setAside" }) : this.#judge(after, work);
      case "publish":
        return work.isDone ? this.#published(after) : this.#publish(after);
      case "restore":
        return this.#happened(after, { type: "restored" });
      case "lookUp":
        return this.#happened({ ...after, known: work.answer }, { type: "lookedUp" });
      case "append":
        return this.#appended(after, work);
      case "read":
        return this.#read(after, work);
    }
  }

  #dequeue(authority: ModelAuthority): Moved {
    const apart = authority.queue.findIndex(({ id }) => this.#shell.isApart(id));
    const size = apart < 0 ? authority.queue.length : Math.max(1, apart);
    const batch = authority.queue.slice(0, size);
    const [first] = batch;
    return this.#happened(
      { ...authority, queue: authority.queue.slice(size), batch, known: undefined, judged: [] },
      { type: "dequeued", size: batch.length, isDeduped: first !== undefined && this.#shell.isMerge(first.id) },
    );
  }

  #judge(authority: ModelAuthority, work: Work): Moved {
    const [first] = authority.batch;
    if (first !== undefined && this.#shell.isLong(first.id) && !first.isWorkedOut)
      return still({
        ...authority,
        batch: [],
        aside: [first],
        works: [...authority.works, { ...work, isDone: true } as Work],
      });
    const ids = authority.batch.map(({ id }) => id);
    const judged = this.#shell.judge(
      authority.confirmed.map(({ id }) => id),
      ids,
      authority.known,
    );
    const isRefusedForNow = judged.some(({ kind }) => kind === "notFinal");
    return this.#happened(
      { ...authority, judged },
      {
        type: "judged",
        entries: judged.filter(({ entry }) => entry !== undefined).length,
        isRefused: isRefusedForNow || judged.some(({ kind }) => kind === "refused"),
        isRefusedForNow,
      },
    );
  }

  #publish(authority: ModelAuthority): Moved {
    const { batch, judged, confirmed } = authority;
    const told = judged.flatMap(({ told }, index) => {
      const attempt = batch[index];
      return attempt === undefined ? [] : [{ attempt, told }];
    });
    const commits = judged.flatMap(({ entry }) => entry?.commit ?? []);
    return {
      authority: {
        ...authority,
        batch: batch.slice(judged.length),
        judged: [],
        known: undefined,
        confirmed: [...confirmed, ...commits],
        works: [...authority.works, { do: "publish", isDone: true }],
      },
      told,
      isCorrupt: false,
    };
  }

  #published(authority: ModelAuthority): Moved {
    const { batch, queue } = authority;
    return this.#happened(
      { ...authority, batch: [], queue: [...batch, ...queue] },
      { type: "published", version: versionOf(authority), left: batch.length },
    );
  }

  #appended(authority: ModelAuthority, { answer }: Work & { readonly do: "append" }): Moved {
    if (answer?.status === "appended") return this.#happened(authority, { type: "appended" });
    return this.#happened(authority, {
      type: "outrun",
      head: answer?.status === "stale" ? answer.version : undefined,
    });
  }

  #read(authority: ModelAuthority, { head, answer }: Work & { readonly do: "read" }): Moved {
    let version = versionOf(authority);
    const corrupt: Moved = { ...still(authority), isCorrupt: true };
    if (head !== undefined && head <= version) return corrupt;
    const { commits = [], isMore = false, owed = 0 } = answer ?? {};
    for (const commit of commits) {
      if (commit.version !== version + 1) return corrupt;
      ({ version } = commit);
    }
    // Read since it was announced: a head that is not there is not owed any more.
    const isSeen = authority.owed <= Math.max(owed, version);
    const after = { ...authority, confirmed: [...authority.confirmed, ...commits], owed: isSeen ? 0 : authority.owed };
    const isThere = head === undefined || head <= version;
    if (isMore)
      return still({
        ...after,
        works: [...after.works, { do: "read", head: isThere ? undefined : head, after: version }],
      });
    if (!isThere) return corrupt;
    return this.#happened(after, { type: "read", version });
  }

  #happened(before: ModelAuthority, event: LoopEvent): Moved {
    const { loop, effects } = this.#shell.steps.step(before.loop, event);
    let moved = still({ ...before, loop });
    for (const effect of effects) moved = perform(moved, effect);
    return moved;
  }
}

function still(authority: ModelAuthority): Moved {
  return { authority, told: [], isCorrupt: false };
}

/** Others run in between only where it is paced. */
function isInMemory(work: Work): boolean {
  return work.do === "gather" || work.do === "dequeue" || work.do === "judge" || work.do === "publish";
}

function without(authority: ModelAuthority, work: Work | undefined): ModelAuthority {
  return { ...authority, works: authority.works.filter((other) => other !== work) };
}

function perform({ authority, told, isCorrupt }: Moved, effect: Effect): Moved {
  const reject = (attempts: readonly Attempt[]) => [...told, ...attempts.map((attempt) => ({ attempt, told: FAILED }))];
  const begin = (work: Work): Moved => ({
    authority: { ...authority, works: [...authority.works, work] },
    told,
    isCorrupt,
  });
  switch (effect.do) {
    case "reject":
      return {
        authority: { ...authority, batch: [], judged: [], known: undefined },
        told: reject(authority.batch),
        isCorrupt,
      };
    case "rejectWaiting":
      return { authority: { ...authority, queue: [] }, told: reject(authority.queue), isCorrupt };
    case "retryLater":
      return { authority: { ...authority, isRetryDue: true }, told, isCorrupt };
    case "retryReset":
      return { authority, told, isCorrupt };
    case "read":
      return begin({ do: "read", head: effect.head, after: versionOf(authority) });
    case "lookUp":
      return begin({ do: "lookUp" });
    case "append": {
      const entries = authority.judged.flatMap(({ entry }) => entry ?? []);
      return begin({ do: "append", call: { version: versionOf(authority), entries } });
    }
    default:
      return begin({ do: effect.do, isDone: false });
  }
}
