// The newest rejections of a replica's own operations, by the authority or by the replica itself.

import type { Rejection } from "../engine/rejection/rejection.ts";
import { equal } from "../json/equal.ts";
import type { Submission, Verdict } from "../thread/commit.ts";
import type { Sync } from "./replica.ts";

type Refused = Verdict & { readonly accepted: false };

const MAX_LISTED = 50;

export class OwnRejections {
  /** Oldest first. A new array with each change. */
  list: Sync["rejections"] = [];

  /**
   * Refuses locally: the verdict is immediate, and `attempt` counts equal refusals that are listed.
   */
  refuse(submission: Submission, rejection: Rejection, version: number): Refused {
    const { code, reason } = rejection;
    const before = this.list.findLast(
      ({ operation, verdict: { rejection: other } }) =>
        other.code === code && other.reason === reason && equal(operation, submission.operation),
    );
    const attempt = (before?.verdict.attempt ?? 0) + 1;
    return this.record(submission, { accepted: false, version, rejection, attempt });
  }

  record({ id, operation }: Submission, verdict: Refused): Refused {
    this.list = [...this.list, { id, operation, verdict }].slice(-MAX_LISTED);
    return verdict;
  }
}
