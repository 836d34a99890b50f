// The events that only a reader of many threads gets. Those of a thread are in `threads/frames.ts`.

import type { Actor } from "@opstate/core";
import { EventFrame } from "../http/event-frame.ts";
import { type Problem, problemMembers } from "../http/problem.ts";

/** The names of a stream and of its reader's first session. */
export interface StreamNames {
  readonly stream: string;
  readonly session: string;
}

/**
 * The actor that the server identified the reader as. An answer that is a list has no stream and
 * no session.
 */
export function helloFrame(actor: Actor, names?: StreamNames): EventFrame {
  const { stream, session } = names ?? {};
  return new EventFrame("hello", { type: "hello", stream, session, actor });
}

/** Why one thread ends. The others go on. */
export function threadProblemFrame(threadId: string, problem: Problem): EventFrame {
  return new EventFrame("problem", { thread: threadId, type: "problem", ...problemMembers(problem) });
}

/** Why all threads end. */
export function streamProblemFrame(problem: Problem): EventFrame {
  return new EventFrame("problem", { type: "problem", ...problemMembers(problem) });
}
