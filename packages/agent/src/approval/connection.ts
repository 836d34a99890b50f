// A thread that is reached by a connection, such as that of `remoteThread`: everything on it is
// done by one actor, and others need credentials of their own.

import type { Actor, Thread } from "@opstate/core";

/** The headers that identify a person. */
export interface Credentials {
  readonly headers:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
}

/** The actor who decides on proposals, and the calls that are theirs. */
export interface Decider extends Pick<Thread, "approve" | "decline"> {
  readonly actor: Actor;
}

export interface Connection {
  /** The actor that the server identified. */
  readonly actor: Actor;
  as(credentials: Credentials): Promise<Decider>;
}

/** The connection of a thread; undefined when its authority is in this process. */
export function connectionOf(thread: unknown): Connection | undefined {
  return typeof thread === "object" && thread !== null && "as" in thread && "actor" in thread
    ? (thread as Connection)
    : undefined;
}

export function isCredentials(value: Actor | Credentials): value is Credentials {
  return "headers" in value;
}
