// The events of a thread as server-sent events: a snapshot or the missed commits, then everything
// as it happens.
//
// Invariants:
// - The first event names the actor that the server takes the reader for, and the thread.
// - After its snapshot or starting point, the versions on a stream have no gaps.
// - Missed commits are read from the log at the reader's speed. So a reader far behind costs no
//   memory.
// - A live reader with a full backlog is disconnected, and resumes from the log.
//
//   catching up: log -> history page -> frames, while the stream has room
//        |  position === thread.version
//        v
//   live: ThreadFeed -> onCommit -> frame   (gap or full backlog: disconnect)

import type { EventStream } from "../http/event-stream.ts";
import type { Problem } from "../http/problem.ts";
import { AccessRecheck } from "../http/recheck-access.ts";
import { commitFrame, problemFrame, snapshotFrame, welcomeFrame } from "../threads/frames.ts";
import type { ServedThread } from "../threads/served-thread.ts";
import { accessCheck, type App, type Services, streamTarget, threadIdWith } from "./environment.ts";
import { wholeNumber } from "./read-request.ts";

/** How many commits are read from the log at a time. */
const PAGE_SIZE = 200;

export function eventRoutes(app: App, { threads, streams, onError }: Services): void {
  app.get("/threads/:id/events", async (context) => {
    const served = await threads.get(await threadIdWith("read", context));
    // EventSource repeats its first URL when it reconnects, so the header is newer than the query.
    const after = context.req.header("last-event-id") ?? context.req.query("after") ?? "";
    // A version of an earlier thread of this name means nothing here.
    const incarnation = context.req.query("incarnation") ?? served.thread.incarnation;
    const position = incarnation === served.thread.incarnation ? wholeNumber(after) : undefined;
    let unsubscribe = () => {};
    const recheck = new AccessRecheck({
      check: accessCheck(context, served, ["read"], threads),
      onRefused: (problem) => refuse(stream, problem),
      onError,
    });
    const stream = streams.open(
      streamTarget(context),
      () => unsubscribe(),
      () => recheck.onHeartbeat(),
    );
    stream.send(welcomeFrame(context.var.access.actor, served.thread));
    // A response to HEAD has no body, so nothing would ever read or cancel the stream.
    if (context.req.method === "HEAD") stream.end();
    else unsubscribe = follow(served, stream, position, onError);
    return stream.response;
  });
}

/** Sends the problem and ends the stream. A reader with a full backlog gets nothing more. */
function refuse(stream: EventStream, problem: Problem): void {
  if (!stream.hasRoom()) return stream.disconnect();
  stream.send(problemFrame(problem));
  stream.end();
}

/**
 * Sends what follows version `after`. When `after` is undefined or above the head, a snapshot comes
 * first. Returns the function that unsubscribes.
 */
function follow(
  served: ServedThread,
  stream: EventStream,
  after: number | undefined,
  onError: (error: unknown) => void,
): () => void {
  const { thread } = served;
  let position = after;
  let live = false;

  const unsubscribe = served.subscribe({
    onCommit(version, frame) {
      // A commit that the snapshot contains may still be announced.
      if (!live || position === undefined || version <= position) return;
      // A gap means that another process compacted the commits between. The reader connects again
      // and gets a snapshot.
      if (version !== position + 1 || !stream.hasRoom()) return stream.disconnect();
      position = version;
      stream.send(frame);
    },
    onRefusal(frame) {
      if (live && stream.hasRoom()) stream.send(frame);
    },
    onEnd: () => stream.end(),
  });

  async function catchUp(): Promise<void> {
    while (!live && (await stream.drained())) {
      await sendMissed();
      // No await since the check, so the next commit finds the stream live.
      live = position === thread.version;
    }
  }

  async function sendMissed(): Promise<void> {
    if (position === thread.version) return;
    const page =
      position === undefined || position > thread.version
        ? []
        : await thread.history({ after: position, limit: PAGE_SIZE });
    const commits = page.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    if (position === undefined || commits[0]?.version !== position + 1) {
      stream.send(snapshotFrame(thread));
      position = thread.version;
      return;
    }
    for (const commit of commits) {
      if (!stream.hasRoom()) return;
      stream.send(commitFrame(commit));
      position = commit.version;
    }
  }

  catchUp().catch((error: unknown) => {
    onError(error);
    stream.disconnect();
  });
  return unsubscribe;
}
