// The events that only a reader of many threads gets. Those of a thread are in `threads/frames.ts`.

import type { Actor } from "@opstate/core";
import { EventFrame } from "../http/event-frame.ts";
import { type Problem, problemMembers } from "../http/problem.ts";

/** How a stream is called in later requests, and how its reader's first session is. */
export interface StreamNames {
  readonly stream: string;
  readonly session: string;
}

/** Tells a reader which actor the server takes them for. An answer that is a list has no names. */
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
