// What others did since a version, and the version up to which that is known.

import type { Actor, Thread } from "@opstate/core";

/**
 * Versions may move while a digest is made. After so many tries the digest may repeat a commit,
 * which is better than leaving one out.
 */
const MAX_TRIES = 3;

/** The digest after version `from`, up to `to`; "" for nothing. Later commits are in the next. */
export async function digestUpTo(
  thread: Thread,
  from: number,
  options: { readonly for: Actor; readonly budget: number },
): Promise<{ readonly to: number; readonly digest: string }> {
  for (let tries = 1; ; tries++) {
    const to = thread.version;
    const digest = to === from ? "" : await thread.digest({ since: from, ...options });
    if (to === thread.version || tries === MAX_TRIES) return { to, digest };
  }
}
