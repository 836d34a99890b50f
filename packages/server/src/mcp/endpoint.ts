// The port between the server and an MCP endpoint, as `@opstate/mcp` makes one. Both packages write
// the shape, so that neither needs the other: a server without it loads no MCP code.

import type { Actor, AnyDefinition, Thread } from "@opstate/core";
import type { Right } from "../http/access.ts";

/** The sender of one MCP request: who it is, and the threads as they may use them. */
export interface McpCaller {
  readonly actor: Actor;
  readonly definitions: readonly AnyDefinition[];
  /** Rejects when the sender lacks the right. */
  require(threadId: string, right: Right): Promise<void>;
  /** Whether the sender has a right that the request can do without. */
  allows(threadId: string, right: Right): Promise<boolean>;
  /** The thread, as the log has it now. It checks no right. Rejects when there is none. */
  thread(threadId: string): Promise<Thread>;
  /** The first threads that the sender may read, branches left out. */
  threads(): Promise<readonly { readonly threadId: string; readonly definition: string }[]>;
  /** To be called before `count` submissions. Rejects when the sender's share is used up. */
  admit(threadId: string, count: number): Promise<void>;
  /** To be called for what reads a history to answer, and for an answer of so many characters. */
  spend(on: "replay" | { readonly characters: number }): void;
  /**
   * Keeps threads open for an answer that lasts. Rejects when the sender may not read one. `onEnd`
   * is called once: when the right is revoked, the credentials expire, a thread is deleted or the
   * server closes. `release` ends it.
   */
  follow(
    threadIds: readonly string[],
    onEnd: () => void,
  ): Promise<{ readonly threads: readonly Thread[]; readonly release: () => void }>;
  /**
   * For what lasts and is of no thread: a session. `onEnd` is called once, when the credentials
   * expire, are no longer the actor's, or the server closes. The returned function ends it. Throws
   * when the server closes already.
   */
  lasts(onEnd: () => void): () => void;
  /** The sender with the rights of now, for a call that waited. Rejects when they are lost. */
  again(): Promise<McpCaller>;
  /** What the sender gets of an error. `onError` gets those that concern the application. */
  explain(error: unknown): { readonly code: string; readonly message: string };
}

export interface McpEndpoint {
  /** Host names beside this machine's own under which it answers: "board.example.com". */
  readonly hosts: readonly string[];
  /** The public address of the endpoint, where it is not the request's: behind a proxy. */
  readonly url: string | undefined;
  /** Where clients get their tokens, for the protected resource's metadata (RFC 9728). */
  readonly authorizationServers: readonly string[];
  /** Throws an OpstateError (`invalid_definition`) when a definition cannot be served. */
  check(definitions: readonly AnyDefinition[]): void;
  /** `body` is that of a POST, as JSON. */
  fetch(request: Request, caller: McpCaller, body: unknown): Promise<Response>;
  /** Ends what lasts. */
  close(): Promise<void>;
}
