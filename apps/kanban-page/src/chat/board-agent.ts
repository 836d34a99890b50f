// The transport to the board's agent. It tells each run where and how to work, and explains lost
// connections in plain words.

import { type AgentTransport, type HttpAgentOptions, httpAgent } from "@opstate/ag-ui";

export interface BoardAgentOptions extends HttpAgentOptions {
  /** Where the next run works, and how. */
  prepare(): Promise<{ readonly threadId: string; readonly askFirst: boolean }>;
}

export function boardAgent({ prepare, ...http }: BoardAgentOptions): AgentTransport {
  const run = httpAgent(http);
  return async function* onBoard({ threadId: conversationId, ...input }, options) {
    let started = false;
    try {
      const { threadId, askFirst } = await prepare();
      for await (const event of run({ ...input, threadId, forwardedProps: { conversationId, askFirst } }, options)) {
        started = true;
        if (!isStateEvent(event)) yield event;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new Error(
        started
          ? "The answer broke off: the connection was lost. What the agent did until then is on the board."
          : "The agent cannot be reached. Your message is kept: send it again when the connection is back.",
        { cause: error },
      );
    }
  };
}

/** The board has a replica of its own, so the state events of the agent's stream are dropped. */
const isStateEvent = (event: unknown): boolean =>
  typeof event === "object" &&
  event !== null &&
  "type" in event &&
  (event.type === "STATE_SNAPSHOT" || event.type === "STATE_DELTA");
