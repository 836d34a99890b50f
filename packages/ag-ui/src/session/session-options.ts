// What a session is made of.

import type { Context, Message, UserMessage } from "@ag-ui/core";
import type { ChatState } from "../state/chat-state.ts";
import type { AgentTransport } from "./agent-transport.ts";
import type { ChatStorage } from "./chat-storage.ts";
import type { FrontendTools } from "./frontend-tools.ts";
import type { HttpAgentOptions } from "./http-agent.ts";
import type { SessionReducer } from "./recording.ts";

/** Where the agent is: the address of an AG-UI server, or anything that runs one. */
export type SessionSource =
  | (HttpAgentOptions & { readonly transport?: never })
  | { readonly transport: AgentTransport; readonly url?: never; readonly headers?: never; readonly fetch?: never };

/** What every run is given. */
export interface RunOptions {
  /** Tools that run here, by name. */
  readonly tools?: FrontendTools;
  /**
   * Runs that follow one another because tools of this session were called, at most; default 25.
   */
  readonly maxToolRounds?: number;
  /** Sent with every run; a function is asked each time. */
  readonly context?: readonly Context[] | (() => readonly Context[]);
  readonly forwardedProps?: unknown;
  /**
   * Whether the state goes along with each run, as agents without a thread of their own need it;
   * default true.
   */
  readonly sendState?: boolean;
}

export interface SessionBasics<S extends ChatState> extends RunOptions {
  /** Default: a new random one. */
  readonly threadId?: string;
  /**
   * Default: `chatReducer`. What it makes of an event must be a ChatState; it may have members of
   * its own.
   */
  readonly reducer?: SessionReducer<S>;
  /** Where the conversation starts when nothing is stored; default `initialChatState()`. */
  readonly initial?: S;
  /** Keeps the conversation: after each message that is sent, and at the end of each run. */
  readonly storage?: ChatStorage;
  /**
   * Entries that the recording keeps at least; it forgets the oldest beyond that. Default 100,000;
   * 0 keeps about the newest 500.
   */
  readonly recordingLimit?: number;
  /** Milliseconds, for the recording; default `Date.now`. */
  readonly clock?: () => number;
  /** Ids of runs, messages and the thread; default 32 random hex digits. */
  readonly mintId?: () => string;
  /** Hears what a storage or a listener threw. Default: an unhandled rejection. */
  readonly onError?: (error: unknown) => void;
}

export type ChatSessionOptions<S extends ChatState = ChatState> = SessionSource & SessionBasics<S>;

/**
 * What `send` takes beside a text: a message of the protocol, whose id may be left out when it is
 * the user's.
 */
export type Outgoing = Message | (Omit<UserMessage, "id" | "role"> & { readonly id?: string; readonly role?: "user" });

export function unhandled(reason: unknown): void {
  void Promise.reject(reason);
}
