// The events of a thread as server-sent events. `id` is the version, so a reader that connects
// again resumes.

import { Problem } from "../http/problem.ts";
import { isOrBranchOf } from "../http/rechecks.ts";
import { wholeNumber } from "../http/whole-number.ts";
import { CatchUpTurns } from "../threads/catch-up-turns.ts";
import { problemFrame } from "../threads/frames.ts";
import { streamReader } from "../threads/stream-reader.ts";
import { ThreadFollower } from "../threads/thread-follower.ts";
import { accessCheck, type App, lastingAccess, type Services, streamTarget, threadIdWith } from "./environment.ts";

export function eventRoutes(app: App, { threads, streams, rechecks, draining, onError }: Services): void {
  app.get("/threads/:id/events", async (context) => {
    // Many connect at once when a server starts again.
    await threads.turns.next();
    const served = await threads.get(await threadIdWith("read", context));
    if (draining.aborted) throw new Problem("closing", "The server is closing.");
    // EventSource repeats its first URL when it reconnects, so the header is newer than the query.
    const position = context.req.header("last-event-id") ?? context.req.query("after") ?? "";
    // A version of an earlier thread of this name means nothing here.
    const incarnation = context.req.query("incarnation") ?? served.thread.incarnation;
    const after = incarnation === served.thread.incarnation ? wholeNumber(position) : undefined;
    let follower: ThreadFollower | undefined;
    const recheck = rechecks.begin({
      ...lastingAccess(context),
      check: accessCheck(context, served, ["read"], threads),
      shows: (threadId) => isOrBranchOf(served.thread, threadId),
      onRefused: (problem) => stream.endWith(problemFrame(problem).bytes),
      onError,
    });
    const stream = streams.openLasting(streamTarget(context), {
      onClose() {
        recheck.close();
        follower?.close();
      },
    });
    // A response to HEAD has no body, so nothing would ever read or cancel the stream.
    if (context.req.method === "HEAD") {
      stream.end();
      return stream.response;
    }
    const reader = streamReader(stream, ({ bytes }) => bytes);
    const turns = new CatchUpTurns<ThreadFollower>({
      reader,
      onError(_, error) {
        onError(error);
        stream.disconnect();
      },
    });
    const { actor } = context.var.access;
    const onBehind = () => follower && turns.add(follower);
    follower = new ThreadFollower({ served, reader, actor, after, onBehind, onEnd: () => stream.end() });
    turns.add(follower);
    return stream.response;
  });
}
