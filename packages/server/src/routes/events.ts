// The events of a thread as server-sent events: a snapshot or what was missed, then everything as
// it happens.
//
// Invariants: the first event says who the reader is taken for and which thread it reads; versions
// on a stream are contiguous after its snapshot or its starting point; what was missed is read from
// the log as the reader takes it, so a reader far behind costs no memory; a live reader whose
// backlog is full is cut and resumes from the log.

import type { EventStream } from "../http/event-stream.ts";
import type { Problem } from "../http/problem.ts";
import { stillAllowed } from "../http/recheck-access.ts";
import { commitFrame, problemFrame, snapshotFrame, welcomeFrame } from "../threads/thread-feed.ts";
import type { ServedThread } from "../threads/threads.ts";
import { type App, checkStanding, type Services, streamTarget, threadIdWith } from "./environment.ts";

/** Commits read from the log at a time. */
const PAGE_SIZE = 200;

export function eventRoutes(app: App, { threads, streams, onError }: Services): void {
  app.get("/threads/:id/events", async (context) => {
    const served = await threads.get(await threadIdWith("read", context));
    // EventSource repeats its first URL when it reconnects: what the header says is newer.
    const from = context.req.header("last-event-id") ?? context.req.query("after") ?? "";
    // Versions of another thread that had this name say nothing about this one.
    const known = context.req.query("incarnation") ?? served.thread.incarnation;
    const follows = known === served.thread.incarnation && /^\d{1,15}$/.test(from);
    let leave = () => {};
    const ask = stillAllowed({
      check: checkStanding(context, served, ["read"], threads),
      onRefused: (problem) => refuse(stream, problem),
      onError,
    });
    const stream = streams.open(streamTarget(context), () => leave(), ask);
    stream.send(welcomeFrame(context.var.access.actor, served.thread));
    // The answer to HEAD loses its body, so nobody would ever read or cancel the stream.
    if (context.req.method === "HEAD") stream.end();
    else leave = follow(served, stream, follows ? Number(from) : undefined, onError);
    return stream.response;
  });
}

/** Says why, and ends; a reader that is behind gets nothing more. */
function refuse(stream: EventStream, problem: Problem): void {
  if (!stream.hasRoom()) return stream.cut();
  stream.send(problemFrame(problem));
  stream.end();
}

/**
 * Sends what comes after version `after`; undefined or above the head: a snapshot first. Returns
 * the function that leaves.
 */
function follow(
  { thread, feed }: ServedThread,
  stream: EventStream,
  after: number | undefined,
  onError: (error: unknown) => void,
): () => void {
  let position = after;
  let live = false;

  const leave = feed.join({
    onCommit(version, frame) {
      // What a snapshot had already may still be announced.
      if (!live || position === undefined || version <= position) return;
      // Another process compacted what lies between: the reader comes again, and gets a snapshot.
      if (version !== position + 1 || !stream.hasRoom()) return stream.cut();
      position = version;
      stream.send(frame);
    },
    onRefusal(frame) {
      if (live && stream.hasRoom()) stream.send(frame);
    },
    onEnd: () => stream.end(),
  });

  async function catchUp(): Promise<void> {
    while (!live && (await stream.room())) {
      await sendMissed();
      // In one turn with the check: the next commit finds the stream live.
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
    stream.cut();
  });
  return leave;
}
