// A transport without a network, for a replica in the process of its thread: in tests, demos and
// local-only applications.

import type { Actor } from "../engine/actor.ts";
import type { Commit, Submission } from "../thread/commit.ts";
import type { Thread } from "../thread/thread.ts";
import type { Transport } from "./transport.ts";

export interface ThreadTransportOptions {
  /** The actor of all submissions. */
  readonly actor: Actor;
}

/**
 * Connects replicas to a thread in the same process. The first snapshot comes synchronously. When
 * the thread cannot store a submission, the replica is offline and its edits stay pending. With its
 * next dispatch, or as soon as the thread stores anything, it is online and sends them again. There
 * is no timer.
 *
 * @example
 * ```ts
 * import { createReplica, defineState, memoryLog, openThread, threadTransport } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const transport = threadTransport(thread, { actor: { kind: "user", id: "ada" } });
 * const replica = createReplica({ definition: counter, transport });
 * replica.getState(); // { count: 0 }
 * ```
 */
export function threadTransport(thread: Thread, { actor }: ThreadTransportOptions): Transport {
  return {
    key: [thread, actor.kind, actor.id],
    connect({ after, onMessage, onStatus }) {
      let open = true;
      /** New commits that arrive while older ones are read. */
      let buffered: Commit[] | undefined;
      /**
       * The thread could not store a submission. Submissions without a verdict are sent again after
       * the next "online".
       */
      let failed = false;

      function deliver(commits: readonly Commit[]): void {
        if (open && commits.length > 0) onMessage({ type: "commits", commits });
      }

      function deliverSnapshot(): void {
        if (open) onMessage({ type: "snapshot", snapshot: { version: thread.version, state: thread.getState() } });
      }

      async function catchUp(from: number): Promise<void> {
        buffered = [];
        // The log may have commits that the thread does not show yet: they follow then.
        const history = await thread.history({ after: from, before: thread.version + 1 }).catch(() => []);
        const commits = history.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
        const last = commits.at(-1)?.version ?? from;
        const newer = buffered.filter(({ version }) => version > last);
        buffered = undefined;
        // Where the log no longer has the commits, a snapshot replaces them.
        if (commits[0]?.version === from + 1) deliver([...commits, ...newer]);
        else deliverSnapshot();
      }

      async function dispatch(submission: Submission): Promise<void> {
        const { operation, ...envelope } = submission;
        try {
          const verdict = await thread.submit(operation, { ...envelope, actor });
          if (open) onMessage({ type: "verdict", id: submission.id, verdict });
        } catch {
          failed = true;
          if (open) onStatus("offline");
        }
      }

      function retry(): void {
        if (!open || !failed) return;
        failed = false;
        onStatus("online");
      }

      const unsubscribers = [
        thread.onCommit((commit) => {
          if (buffered === undefined) deliver([commit]);
          else buffered.push(commit);
          retry();
        }),
        thread.onRejection((refusal) => {
          if (open) onMessage({ type: "refusal", refusal });
          retry();
        }),
      ];
      const { incarnation, parent } = thread;
      onMessage({ type: "welcome", actor, incarnation, ...(parent === undefined ? {} : { branch: true }) });
      if (after === undefined || after > thread.version) deliverSnapshot();
      else if (after < thread.version) void catchUp(after);
      if (open) onStatus("online");

      return {
        send: (submission) => void dispatch(submission),
        retry,
        close() {
          open = false;
          for (const unsubscribe of unsubscribers) unsubscribe();
        },
      };
    },
  };
}
