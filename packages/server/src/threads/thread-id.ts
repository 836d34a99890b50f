// Which texts are ids of threads.

import { isWellFormed } from "@opstate/core/thread";
import { Problem } from "../http/problem.ts";

/** Printable characters, without those that have a meaning in a path or a log line. */
const THREAD_ID = /^(?!\.{1,2}$)[^\s/\\?#\p{Cc}]{1,200}$/u;

/** The id itself. Throws a Problem when it is none. */
export function checkThreadId(threadId: string): string {
  if (THREAD_ID.test(threadId) && isWellFormed(threadId)) return threadId;
  throw new Problem(
    "invalid_id",
    "A thread id has 1 to 200 characters, without spaces, slashes, backslashes, ?, # and halves of surrogate pairs.",
  );
}
