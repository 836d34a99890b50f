// The options of a session.

import type { Context, Message, UserMessage } from "@ag-ui/core";
import type { ChatState } from "../state/chat-state.ts";
import type { AgentTransport } from "./agent-transport.ts";
import type { ChatStorage } from "./chat-storage.ts";
import type { FrontendTools } from "./frontend-tools.ts";
import type { HttpAgentOptions } from "./http-agent.ts";
import type { SessionReducer } from "./recording.ts";

/** Where the agent is: the URL of an AG-UI server, or another transport. */
export type SessionSource =
  | (HttpAgentOptions & { readonly transport?: never })
  | { readonly transport: AgentTransport; readonly url?: never; readonly headers?: never; readonly fetch?: never };

/** What every run gets. */
export interface RunOptions {
  /** Tools that run here, by name. */
  readonly tools?: FrontendTools;
  /**
   * The most runs in a row that calls of these tools may lead to; default 25.
   */
  readonly maxToolRounds?: number;
  /** Sent with every run. A function is called for each run. */
  readonly context?: readonly Context[] | (() => readonly Context[]);
  readonly forwardedProps?: unknown;
  /**
   * Whether each run sends the state, which agents without their own thread need; default true. One
   * with conflicts is older than what the agent sent, and is not sent.
   */
  readonly sendState?: boolean;
}

export interface SessionBasics<S extends ChatState> extends RunOptions {
  /** Default: a new random id. */
  readonly threadId?: string;
  /**
   * Default: `chatReducer`. Its states must be ChatStates, and may have more members. It must not
   * change the events.
   */
  readonly reducer?: SessionReducer<S>;
  /** Where the conversation starts when nothing is stored; default `initialChatState()`. */
  readonly initial?: S;
  /** Stores the conversation after each message that is sent and at the end of each run. */
  readonly storage?: ChatStorage;
  /**
   * The most entries of the recording; default 100,000. When there are more, the oldest 500 are
   * dropped. Below 500 it has 1 to 500 of the newest.
   */
  readonly recordingLimit?: number;
  /** The time of a recording's entries in milliseconds; default `Date.now`. */
  readonly clock?: () => number;
  /** Ids of runs, messages and the thread; default 32 random hex digits. */
  readonly mintId?: () => string;
  /** Gets what a storage or a listener threw. Default: an unhandled rejection. */
  readonly onError?: (error: unknown) => void;
}

export type ChatSessionOptions<S extends ChatState = ChatState> = SessionSource & SessionBasics<S>;

/**
 * What `send` takes beside a string: a message of the protocol. A user's message may lack its id
 * and role.
 */
export type Outgoing = Message | (Omit<UserMessage, "id" | "role"> & { readonly id?: string; readonly role?: "user" });

export function unhandled(reason: unknown): void {
  void Promise.reject(reason);
}
