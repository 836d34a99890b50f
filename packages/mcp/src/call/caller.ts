// The port between an MCP endpoint and the program that has the threads, as `@opstate/server`
// defines it. Both packages write the shape, so that neither needs the other.

import type { Actor, AnyDefinition, Thread } from "@opstate/core";

/** What an actor may do with a thread and its branches. */
export type McpRight = "read" | "write" | "undo" | "approve";

/** The sender of one MCP request: who it is, and the threads as they may use them. */
export interface McpCaller {
  readonly actor: Actor;
  readonly definitions: readonly AnyDefinition[];
  /** Rejects when the sender lacks the right. */
  require(threadId: string, right: McpRight): Promise<void>;
  /** Whether the sender has a right that the request can do without. */
  allows(threadId: string, right: McpRight): Promise<boolean>;
  /** The thread. It checks no right. Rejects when there is none. */
  thread(threadId: string): Promise<Thread>;
  /** The threads that the sender may read, branches left out. */
  threads(): Promise<readonly { readonly threadId: string; readonly definition: string }[]>;
  /** To be called before `count` submissions. Rejects when the sender's share is used up. */
  admit(threadId: string, count: number): Promise<void>;
  /** To be called for what reads a history to answer, and for an answer of so many characters. */
  spend(on: "replay" | { readonly characters: number }): void;
  /** Keeps threads open for an answer that lasts, until `onEnd` is called or it is released. */
  follow(
    threadIds: readonly string[],
    onEnd: () => void,
  ): Promise<{ readonly threads: readonly Thread[]; readonly release: () => void }>;
  /** Calls back once when the sender's credentials end. The returned function ends it. */
  lasts(onEnd: () => void): () => void;
  /** The sender with the rights of now, for a call that waited. Rejects when they are lost. */
  again(): Promise<McpCaller>;
  /** What the sender gets of an error. */
  explain(error: unknown): { readonly code: string; readonly message: string };
}
