// The newest refusals of a replica's own operations: by the authority, or here before anything was
// sent.

import type { Actor } from "../engine/actor.ts";
import type { Rejection } from "../engine/rejection.ts";
import type { Submission, Verdict } from "../thread/commit.ts";
import { hashOperation } from "../thread/log/operation-hash.ts";
import { attemptKey, Attempts } from "../thread/authority/refusal.ts";
import type { Sync } from "./replica.ts";

type Refused = Verdict & { readonly accepted: false };

const SHOWN = 50;
const NOBODY: Actor = { kind: "nobody", id: "" };

export class OwnRejections {
  /** Oldest first; another array when it changes. */
  list: Sync["rejections"] = [];
  readonly #attempts = new Attempts();

  /** Refuses here: the verdict is immediate, and counted as the authority counts. */
  refuse(submission: Submission, rejection: Rejection, version: number, actor: Actor = NOBODY): Refused {
    const key = attemptKey(actor, hashOperation(submission.operation), rejection);
    const attempt = this.#attempts.of(key) + 1;
    this.#attempts.set(key, attempt);
    return this.note(submission, { accepted: false, version, rejection, attempt });
  }

  note({ id, operation }: Submission, verdict: Refused): Refused {
    this.list = [...this.list, { id, operation, verdict }].slice(-SHOWN);
    return verdict;
  }
}
