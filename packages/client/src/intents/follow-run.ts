// The intents of a run, from its AG-UI events.

import { isObject } from "@opstate/core/json";
import type { IntentThread } from "./intent.ts";
import { intentsOf } from "./intents.ts";
import { Feed, type FeedOptions } from "./feed.ts";
import { PREDICT_STATE } from "./predictions.ts";

/** The members of AG-UI's events of tool calls, and of what announces them. */
interface CallEvent {
  readonly type?: unknown;
  readonly runId?: unknown;
  readonly toolCallId?: unknown;
  readonly toolCallName?: unknown;
  readonly delta?: unknown;
  readonly content?: unknown;
  readonly name?: unknown;
  readonly value?: unknown;
}

/**
 * Shows what a run of an agent is about to do, while its AG-UI events arrive: those of a server's
 * `GET /threads/:id/runs/:runId`, or of any other agent. Resolves when the stream ends, and rejects
 * with what it throws; no intent of it is left then.
 *
 * @example
 * ```tsx
 * const { runs } = httpAgent({ url: "/ag-ui/planner" });
 * await followRun(thread, runs.read({ threadId: "launch", runId }, { signal }));
 * ```
 */
export async function followRun(
  thread: IntentThread,
  events: AsyncIterable<unknown>,
  options: FeedOptions = {},
): Promise<void> {
  const stopWatching = intentsOf(thread).watch();
  const feed = new RunFeed(new Feed(thread, options));
  try {
    for await (const event of events) if (isObject(event)) feed.receive(event);
  } finally {
    feed.end();
    stopWatching();
  }
}

class RunFeed {
  readonly #feed: Feed;
  #runId: string | undefined;
  /** The call of the last chunk. */
  #chunked: string | undefined;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  receive(event: CallEvent): void {
    const id = textOf(event.toolCallId);
    switch (event.type) {
      case "RUN_STARTED":
        this.#runId = textOf(event.runId);
        return;
      case "CUSTOM":
        if (event.name === PREDICT_STATE) this.#feed.predict(event.value);
        return;
      case "TOOL_CALL_START":
        return this.#begin(event, id);
      case "TOOL_CALL_ARGS":
        if (id !== undefined) this.#feed.write(id, textOf(event.delta) ?? "");
        return;
      case "TOOL_CALL_CHUNK": {
        const call = id ?? this.#chunked;
        if (call === undefined) return;
        this.#begin(event, call);
        this.#chunked = call;
        return this.#feed.write(call, textOf(event.delta) ?? "");
      }
      case "TOOL_CALL_RESULT":
        if (id !== undefined) this.#feed.end(id, textOf(event.content) ?? "");
        return;
      case "RUN_FINISHED":
      case "RUN_ERROR":
        return this.end();
    }
  }

  end(): void {
    this.#feed.endAll();
  }

  #begin({ toolCallName }: CallEvent, id: string | undefined): void {
    const name = textOf(toolCallName);
    if (id !== undefined && name !== undefined) this.#feed.open(id, name, this.#runId);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
