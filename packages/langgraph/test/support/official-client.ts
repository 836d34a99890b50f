// The unmodified client of AG-UI, on the events of a run.

import { HttpAgent, type AgentSubscriber } from "@ag-ui/client";
import type { Message } from "@ag-ui/core";
import type { AgentRun, GraphEvent } from "@opstate/langgraph/ag-ui";

/**
 * What the unmodified client makes of the events, as a server would send them. Any break of the
 * protocol throws.
 */
export async function clientOf(
  run: AgentRun,
  events: readonly GraphEvent[],
  subscriber: AgentSubscriber = {},
): Promise<readonly Message[]> {
  const { threadId, runId } = run.input;
  const isEnded = events.at(-1)?.type === "RUN_FINISHED";
  const frames = [
    { type: "RUN_STARTED", threadId, runId },
    ...events,
    ...(isEnded ? [] : [{ type: "RUN_FINISHED", threadId, runId }]),
  ];
  const body = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");
  const client = new HttpAgent({
    url: "http://localhost/",
    threadId,
    initialMessages: run.input.messages,
    fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  });
  await client.runAgent({ runId }, { ...subscriber, onRunFailed: ({ error }) => Promise.reject(error) });
  return client.messages;
}
