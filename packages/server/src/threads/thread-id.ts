// Which texts are ids of threads.

import { ID_LIMIT, isWellFormed } from "@opstate/core/thread";
import { Problem } from "../http/problem.ts";

/** Printable characters, without those that have a meaning in a path or a log line. */
const THREAD_ID = new RegExp(String.raw`^(?!\.{1,2}$)[^\s/\\?#\p{Cc}]{1,${ID_LIMIT}}$`, "u");

/** The id itself. Throws a Problem when it is none. */
export function checkThreadId(threadId: string): string {
  if (THREAD_ID.test(threadId) && isWellFormed(threadId)) return threadId;
  throw new Problem(
    "invalid_id",
    `A thread id has 1 to ${ID_LIMIT} characters, without spaces, slashes, backslashes, ?, # and halves of surrogate pairs.`,
  );
}
