// The events of a thread's stream as frames.

import type { Actor, Commit, Refusal, Thread } from "@opstate/core";
import type { TransportMessage } from "@opstate/core/transport";
import { encodeEvent } from "../http/event-stream.ts";
import { type Problem, problemDocument } from "../http/problem.ts";
import type { Frame } from "../http/sink.ts";

/** Tells a reader which actor the server takes them for, and which thread they read. */
export function welcomeFrame(actor: Actor, { incarnation, parent }: Thread): Frame {
  return messageFrame({ type: "welcome", actor, incarnation, ...(parent !== undefined && { branch: true }) });
}

/** Why a stream ends: the problem that the same request would get now. */
export function problemFrame(problem: Problem): Frame {
  return encodeEvent({ event: "problem", data: problemDocument(problem) });
}

export function snapshotFrame({ version, getState }: Thread): Frame {
  return messageFrame({ type: "snapshot", snapshot: { version, state: getState() } }, version);
}

/** One frame per commit, live or from the log. So a resumed stream has the same bytes. */
export function commitFrame(commit: Commit): Frame {
  return messageFrame({ type: "commits", commits: [commit] }, commit.version);
}

export function refusalFrame(refusal: Refusal): Frame {
  return messageFrame({ type: "refusal", refusal });
}

function messageFrame(message: TransportMessage, version?: number): Frame {
  return encodeEvent({ event: message.type, data: message, id: version });
}
