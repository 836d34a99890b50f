// What the writers of the model submit, and how a batch of it is judged: by the authority's own
// judgement and the engine's own reducer. Each judgement is made once and remembered.

import { defineState } from "@opstate/core";
import { z } from "zod";
import { judgeOf } from "../../src/thread/authority/approval.ts";
import { type Judgement, createBatchJudge, receiptOwner } from "../../src/thread/authority/decide.ts";
import type { ParsedSubmission } from "../../src/thread/authority/parse-submission.ts";
import { readUpdate } from "../../src/thread/authority/read-update.ts";
import { type Confirmed, confirm } from "../../src/thread/confirmed.ts";
import type { Receipt } from "../../src/thread/log/log.ts";
import { receiptKey } from "../../src/thread/log/receipt-key.ts";
import type { Entry, StoredReceipt } from "./log.ts";

export interface Operation {
  readonly id: string;
  readonly writer: 1 | 2;
  /**
   * `add` always commits. `claim` commits when no one has claimed before, else it is refused for
   * good. `touch` is accepted and changes nothing. `merge` is a claim whose effect is stored under
   * the id "m", no matter who sends it. `long` is an `add` that is computed beside the queue.
   */
  readonly kind: "add" | "claim" | "touch" | "merge" | "long";
  /** At any other version it is refused for now. */
  readonly expectedVersion?: number;
}

/** What a writer knows of a submission. */
export interface Told {
  readonly verdict: "accepted" | "refused" | "refused for now" | "failed";
  readonly version: number;
}

/** One of a batch, judged. */
export interface Judged {
  readonly kind: Judgement["kind"];
  readonly entry?: Entry;
  readonly told: Told;
}

/** The id that its effect is stored under. */
export function ownerId({ id, kind }: Operation): string {
  return kind === "merge" ? "m" : id;
}

/** The log must be read for it: it is judged apart from others. */
export function isApart({ kind }: Operation): boolean {
  return kind === "merge" || kind === "long";
}

const ledger = defineState({
  name: "ledger",
  schema: z.object({ ids: z.array(z.string()), claimedBy: z.string() }),
  initial: { ids: [], claimedBy: "" },
  operations: {
    add: {
      input: z.object({ id: z.string() }),
      apply(draft, { id }) {
        draft.ids.push(id);
      },
    },
    claim: {
      input: z.object({ id: z.string() }),
      apply(draft, { id }, { reject }) {
        if (draft.claimedBy !== "") return reject("claimed", `"${draft.claimedBy}" was first`);
        draft.claimedBy = id;
      },
    },
    touch: {
      input: z.object({}),
      apply() {
        // It changes nothing.
      },
    },
  },
});

const judge = judgeOf(ledger, undefined);
const SYSTEM = { kind: "system", id: "merge" };

function submissionOf(operation: Operation): ParsedSubmission {
  const { id, writer, kind, expectedVersion } = operation;
  const owner = ownerId(operation);
  const update =
    kind === "touch" ? { type: kind } : { type: kind === "claim" || kind === "merge" ? "claim" : "add", id: owner };
  return {
    ...readUpdate(ledger, update),
    actor: { kind: "user", id: `writer ${writer}` },
    id,
    isNew: false,
    origin: {},
    expectedVersion,
    basedOn: undefined,
    things: undefined,
    madeAt: undefined,
    at: "2026-01-01T00:00:00.000Z",
    ...(kind === "merge" ? { dedupeKey: { actor: SYSTEM, id: owner } } : {}),
  };
}

/** How batches of these operations are judged. `mostEntries`: of one append. */
export function judgeOperations(operations: readonly Operation[], mostEntries: number) {
  const submissions = new Map(operations.map((operation) => [operation.id, submissionOf(operation)]));
  const byOwner = new Map(operations.map((operation) => [ownerId(operation), operation]));
  const states = new Map<string, Confirmed>([["", confirm(ledger, ledger.initial)]]);
  const remembered = new Map<string, readonly Judged[]>();

  /** After the commits of these ids. */
  function stateAfter(ids: readonly string[]): Confirmed {
    const key = ids.join();
    let state = states.get(key);
    if (state === undefined) {
      const before = stateAfter(ids.slice(0, -1));
      const submission = submissions.get(byOwner.get(ids.at(-1) ?? "")?.id ?? "");
      if (submission === undefined) throw new Error(`Nothing was submitted as "${ids.at(-1)}".`);
      state = { state: judge(before.state, submission.operation, submission).state, isValid: true };
      states.set(key, state);
    }
    return state;
  }

  function realReceipt({ id, isAccepted, version }: StoredReceipt): Receipt {
    const submission = submissions.get((byOwner.get(id) ?? { id }).id);
    if (submission === undefined) throw new Error(`Nothing was submitted as "${id}".`);
    const { hash, operation, origin, at } = submission;
    const rejection = { code: "refused", message: "", operation: { type: "claim" } } as const;
    const refusal = { id, operation, actor: submission.actor, at, ...origin, version, rejection, attempt: 1 };
    return isAccepted
      ? { ...receiptOwner(submission), hash, outcome: { accepted: true, version } }
      : { actor: submission.actor, id, hash, outcome: { accepted: false, refusal } };
  }

  function judgeNow(
    confirmed: readonly string[],
    batch: readonly string[],
    known: readonly StoredReceipt[] | undefined,
  ): readonly Judged[] {
    const head = { confirmed: stateAfter(confirmed), version: confirmed.length };
    const [first = ""] = batch;
    const apart = operations.find(({ id }) => id === first);
    const submission = submissions.get(first);
    const computed =
      submission !== undefined && apart !== undefined && isApart(apart)
        ? { transition: judge(head.confirmed.state, submission.operation, submission), records: true }
        : undefined;
    const { judge: judgeOne, end } = createBatchJudge(ledger, {
      ...head,
      judge,
      attempts: { of: () => 0 },
      known:
        known &&
        new Map(known.map(realReceipt).map((receipt) => [receiptKey(receipt.actor, receipt.id), receipt] as const)),
      computed,
      mostBytes: Infinity,
      remembered: { keep: Infinity, floor: 0, forgottenAt: -Infinity },
    });
    const judged: Judged[] = [];
    let count = 0;
    for (const id of batch) {
      const next = submissions.get(id);
      if (next === undefined) throw new Error(`Nothing was submitted as "${id}".`);
      const judgement = judgeOne(next);
      if ("entry" in judgement) {
        count += 1;
        if (count > 1 && count > mostEntries) break;
      }
      judged.push(plain(judgement));
    }
    end();
    return judged;
  }

  return (
    confirmed: readonly string[],
    batch: readonly string[],
    known: readonly StoredReceipt[] | undefined,
  ): readonly Judged[] => {
    const key = `${confirmed.join()}|${batch.join()}|${known === undefined ? "" : JSON.stringify(known)}`;
    let judged = remembered.get(key);
    if (judged === undefined) remembered.set(key, (judged = judgeNow(confirmed, batch, known)));
    return judged;
  };
}

/** A judgement with what the model keeps of it. */
function plain(judgement: Judgement): Judged {
  const { kind } = judgement;
  switch (judgement.kind) {
    case "committed":
    case "unchanged":
    case "refused": {
      const { receipt, commit } = judgement.entry;
      const stored = plainReceipt(receipt);
      const entry = { receipt: stored, ...(commit && { commit: { version: commit.version, id: commit.id } }) };
      return { kind, entry, told: toldOf(stored) };
    }
    case "known":
      return { kind, told: toldOf(plainReceipt(judgement.receipt)) };
    case "notFinal":
      return { kind, told: { verdict: "refused for now", version: judgement.version } };
  }
}

function plainReceipt({ id, outcome }: Receipt): StoredReceipt {
  return { id, isAccepted: outcome.accepted, version: outcome.accepted ? outcome.version : outcome.refusal.version };
}

function toldOf({ isAccepted, version }: StoredReceipt): Told {
  return { verdict: isAccepted ? "accepted" : "refused", version };
}
