// A run's stream with a part for each commit of its thread, in the order in which they happened:
// the chat shows what changed, and a page knows which version the chat speaks of.

import { defined, type Actor, type Commit, type Thread } from "@opstate/core";
import type { Patch } from "@opstate/core/json-patch";
import { sentenceOf } from "@opstate/core/thread";
import type { UIMessageChunk } from "ai";

/** A commit, as a part of a message. Plain JSON. */
export interface CommitData {
  readonly threadId: string;
  readonly version: number;
  readonly id: string;
  readonly actor: Actor;
  /** The operation's type. */
  readonly type: string;
  /** The operation in words. */
  readonly sentence: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  /** What changed; left out where it is long. */
  readonly patches?: Patch;
}

/** For `UIMessage<Metadata, CommitParts>`: parts of type `data-commit`. */
// A type, because the SDK requires an index signature.
// oxlint-disable-next-line typescript/consistent-type-definitions -- as above
export type CommitParts = { commit: CommitData };

export interface CommitChunk {
  readonly type: "data-commit";
  readonly id: string;
  readonly data: CommitData;
  readonly transient?: boolean;
}

export interface WithCommitsOptions {
  readonly thread: Pick<Thread, "threadId" | "definition" | "onCommit">;
  /** The parts reach `onData` alone and are not kept in the message. Default false. */
  readonly transient?: boolean;
}

/** In characters of JSON. Messages are stored, so longer patches are left out. */
const MAX_PATCHES = 4_000;

/**
 * The stream with a `data-commit` part for each commit from now until it ends, by any actor. Call
 * it before the run begins.
 */
export function withCommits<Chunk extends UIMessageChunk>(
  stream: ReadableStream<Chunk>,
  { thread, transient = false }: WithCommitsOptions,
): ReadableStream<Chunk | CommitChunk> {
  const reader = stream.getReader();
  // The stream's own first part stays first, and its `finish` or `abort` stays last.
  const early: CommitChunk[] = [];
  let phase: "early" | "open" | "ended" = "early";
  let unsubscribe = () => {};
  const end = () => {
    phase = "ended";
    unsubscribe();
  };
  return new ReadableStream<Chunk | CommitChunk>({
    start(controller) {
      unsubscribe = thread.onCommit((commit) => {
        const chunk = chunkOf(thread, commit, transient);
        if (phase === "early") early.push(chunk);
        else if (phase === "open") controller.enqueue(chunk);
      });
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          end();
          controller.close();
          return;
        }
        if (value.type === "finish" || value.type === "abort") end();
        controller.enqueue(value);
        if (phase !== "early") return;
        phase = "open";
        for (const chunk of early) controller.enqueue(chunk);
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}

function chunkOf(
  { threadId, definition }: Pick<Thread, "threadId" | "definition">,
  commit: Commit,
  transient: boolean,
): CommitChunk {
  const { version, id, actor, operation, runId, toolCallId, patches } = commit;
  const data: CommitData = {
    threadId,
    version,
    id,
    actor,
    type: operation.type,
    sentence: sentenceOf(definition, commit),
    ...defined({ runId, toolCallId }),
    ...(JSON.stringify(patches).length <= MAX_PATCHES && { patches }),
  };
  return { type: "data-commit", id: `${threadId}@${version}`, data, ...(transient && { transient }) };
}
