// The events of a thread as frames. Each names its thread, so that every kind of stream has the
// same bytes.

import type { CarrierMessage, Participant } from "@opstate/client/carriers";
import type { Actor, Commit, Refusal, Thread } from "@opstate/core";
import { EventFrame } from "../http/event-frame.ts";
import { type Problem, problemDocument } from "../http/problem.ts";

/** Says which actor the server takes the reader for, which thread it is, and their rights. */
export function welcomeFrame(actor: Actor, { threadId, incarnation, parent }: Thread, isReadOnly: boolean): EventFrame {
  return messageFrame(threadId, {
    type: "welcome",
    actor,
    incarnation,
    ...(parent !== undefined && { branch: true }),
    ...(isReadOnly && { readOnly: true }),
  });
}

/** Why a stream ends: the problem that the same request would get now. */
export function problemFrame(problem: Problem): EventFrame {
  return new EventFrame("problem", problemDocument(problem));
}

export function snapshotFrame({ threadId, version, getState }: Thread): EventFrame {
  return messageFrame(threadId, { type: "snapshot", snapshot: { version, state: getState() } }, version);
}

/** One frame per commit, live or from the log. So a resumed stream has the same bytes. */
export function commitFrame(threadId: string, commit: Commit): EventFrame {
  return messageFrame(threadId, { type: "commits", commits: [commit] }, commit.version);
}

export function refusalFrame(threadId: string, refusal: Refusal): EventFrame {
  return messageFrame(threadId, { type: "refusal", refusal });
}

/** All participants who are here. */
export function presenceFrame(threadId: string, participants: readonly Participant[]): EventFrame {
  return messageFrame(threadId, { type: "presence", participants });
}

/** The reader's rights, which changed since the welcome. */
export function rightsFrame(threadId: string, isReadOnly: boolean): EventFrame {
  return messageFrame(threadId, { type: "rights", readOnly: isReadOnly });
}

function messageFrame(thread: string, message: CarrierMessage, version?: number): EventFrame {
  return new EventFrame(message.type, { thread, ...message }, version);
}
