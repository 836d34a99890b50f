// What happens on a thread, as frames: encoded once, handed to every reader.

import type { Actor, Commit, Refusal, Thread } from "@opstate/core";
import type { TransportMessage } from "@opstate/core/transport";
import { encodeEvent } from "../http/event-stream.ts";
import { type Problem, problemDocument } from "../http/problem.ts";
import type { Frame } from "../http/sink.ts";

export interface FeedMember {
  onCommit(version: number, frame: Frame): void;
  onRefusal(frame: Frame): void;
  /** The thread was deleted. */
  onEnd(): void;
}

export interface ThreadFeed {
  /** Returns the function that leaves. */
  join(member: FeedMember): () => void;
  end(): void;
}

/** Listens to the thread only while there are members. */
export function createThreadFeed(thread: Thread): ThreadFeed {
  const members = new Set<FeedMember>();
  let stop: (() => void) | undefined;

  function listen(): () => void {
    const ends = [
      thread.onCommit((commit) => {
        const frame = commitFrame(commit);
        for (const member of members) member.onCommit(commit.version, frame);
      }),
      thread.onRejection((refusal) => {
        const frame = refusalFrame(refusal);
        for (const member of members) member.onRefusal(frame);
      }),
    ];
    return () => ends.forEach((end) => end());
  }

  return {
    join(member) {
      members.add(member);
      stop ??= listen();
      return () => {
        members.delete(member);
        if (members.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
    end() {
      for (const member of [...members]) member.onEnd();
    },
  };
}

/** Tells a reader who it is taken for, and which thread it reads. */
export function welcomeFrame(actor: Actor, { incarnation }: Thread): Frame {
  return messageFrame({ type: "welcome", actor, incarnation });
}

/** Why a stream ends: what its request would be answered with by now. */
export function problemFrame(problem: Problem): Frame {
  return encodeEvent({ event: "problem", data: problemDocument(problem) });
}

export function snapshotFrame({ version, getState }: Thread): Frame {
  return messageFrame({ type: "snapshot", snapshot: { version, state: getState() } }, version);
}

/** One commit for each frame, live or from the log, so that a resumed stream is the same bytes. */
export function commitFrame(commit: Commit): Frame {
  return messageFrame({ type: "commits", commits: [commit] }, commit.version);
}

function refusalFrame(refusal: Refusal): Frame {
  return messageFrame({ type: "refusal", refusal });
}

function messageFrame(message: TransportMessage, version?: number): Frame {
  return encodeEvent({ event: message.type, data: message, ...(version !== undefined && { id: version }) });
}
