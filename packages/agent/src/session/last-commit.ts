// The version that an agent knows at least: that of its own last commit.

import type { Actor, Thread } from "@opstate/core";
import { sameActor } from "@opstate/core/thread";

/** The newest commits in which it is looked for. */
const SEARCHED_COMMITS = 200;

/** The version of the actor's last commit; the newest one when none of the last 200 is theirs. */
export async function lastCommitOf(thread: Thread, actor: Actor): Promise<number> {
  const { version } = thread;
  const newest = await thread.history({ order: "descending", limit: SEARCHED_COMMITS });
  for (const entry of newest)
    if (entry.kind === "commit" && sameActor(entry.commit.actor, actor)) return Math.min(entry.commit.version, version);
  return version;
}
