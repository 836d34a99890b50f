// The newest rejections of a replica's own operations, by the authority or by the replica itself.

import type { Actor } from "../engine/actor.ts";
import type { Rejection } from "../engine/rejection.ts";
import { canonicalJson } from "../json/canonical.ts";
import type { Submission, Verdict } from "../thread/commit.ts";
import type { Sync } from "./replica.ts";

type Refused = Verdict & { readonly accepted: false };

const MAX_LISTED = 50;
/** Equal rejections are counted for so many operations; then all are counted anew. */
const MAX_COUNTED = 1_000;
const UNKNOWN_ACTOR: Actor = { kind: "nobody", id: "" };

export class OwnRejections {
  /** Oldest first. A new array with each change. */
  list: Sync["rejections"] = [];
  readonly #attempts = new Map<string, number>();

  /** Refuses locally: the verdict is immediate, and `attempt` counts as the authority counts. */
  refuse(submission: Submission, rejection: Rejection, version: number, actor: Actor = UNKNOWN_ACTOR): Refused {
    const key = canonicalJson([actor.kind, actor.id, submission.operation, rejection.code, rejection.reason]);
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    if (this.#attempts.size >= MAX_COUNTED) this.#attempts.clear();
    this.#attempts.set(key, attempt);
    return this.record(submission, { accepted: false, version, rejection, attempt });
  }

  record({ id, operation }: Submission, verdict: Refused): Refused {
    this.list = [...this.list, { id, operation, verdict }].slice(-MAX_LISTED);
    return verdict;
  }
}
