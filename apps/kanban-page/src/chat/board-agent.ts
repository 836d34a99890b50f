// The transport to the board's agent. It says to each run where and how to work, and explains lost
// connections in plain words. A run goes on while the page is away, and is read again.

import { type AgentTransport, AgentTransportError, type HttpAgentOptions, httpAgent } from "@opstate/ag-ui";

export interface BoardAgentOptions extends HttpAgentOptions {
  /** Where the next run works, and how. */
  prepare(): Promise<{ readonly threadId: string; readonly askFirst: boolean; readonly waitForHand: boolean }>;
  /** An agent in this page that answers instead, if there is one now. */
  own?(): OwnAgent | undefined;
}

export type OwnAgent = (
  input: Parameters<AgentTransport>[0],
  how: { readonly threadId: string; readonly askFirst: boolean; readonly signal: AbortSignal },
) => Promise<AsyncIterable<unknown>>;

/** Where the last run works: on the board, or on a branch. */
export interface LastPlace {
  get(): string | null;
  set(threadId: string): void;
}

export function boardAgent({ prepare, own, ...http }: BoardAgentOptions, place: LastPlace): AgentTransport {
  const run = httpAgent(http);
  const { runs } = run;

  const transport: AgentTransport = (input, options) =>
    onBoard(async () => {
      const { threadId: conversationId, ...rest } = input;
      const { threadId: next, ...how } = await prepare();
      // A run that goes on does so where it was.
      const threadId = options.continues === undefined ? next : (place.get() ?? next);
      place.set(threadId);
      const agent = own?.();
      if (agent !== undefined) return agent(input, { threadId, askFirst: how.askFirst, signal: options.signal });
      return run({ ...rest, threadId, forwardedProps: { conversationId, ...how } }, options);
    });
  if (runs === undefined) return transport;
  return Object.assign(transport, {
    runs: {
      read: ({ runId, threadId }, options) =>
        onBoard(async () => runs.read({ threadId: place.get() ?? threadId, runId }, options)),
    } satisfies AgentTransport["runs"],
  });
}

async function* onBoard(open: () => Promise<AsyncIterable<unknown>>): AsyncGenerator<unknown, void> {
  let started = false;
  try {
    for await (const event of await open()) {
      started = true;
      if (!isStateEvent(event)) yield event;
    }
  } catch (error) {
    const words = wordsFor(error, started);
    if (words === undefined) throw error;
    throw new Error(words, { cause: error });
  }
}

function wordsFor(error: unknown, started: boolean): string | undefined {
  if (error instanceof AgentTransportError && error.code === "run_lost")
    return "The answer was lost: the server was started again. What the agent did until then is on the board.";
  if (!(error instanceof TypeError)) return undefined;
  return started
    ? "The answer broke off: the connection was lost. What the agent did until then is on the board."
    : "The agent cannot be reached. Your message is kept: send it again when the connection is back.";
}

/** The board has a replica of its own, so the state events of the agent's stream are dropped. */
const isStateEvent = (event: unknown): boolean =>
  typeof event === "object" &&
  event !== null &&
  "type" in event &&
  (event.type === "STATE_SNAPSHOT" || event.type === "STATE_DELTA");
