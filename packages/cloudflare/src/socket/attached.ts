// What a page's socket needs to be read on after its object was out of memory: the platform keeps
// it beside the socket.

import { isObject } from "@opstate/core/json";

/** Where the page is in one thread. */
export interface Position {
  readonly after?: number | undefined;
  readonly incarnation?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

export interface Attached {
  /** What stands before the paths of the routes, with the origin. */
  readonly base: string;
  /** The page's credentials, for `authorize`. */
  readonly headers: Readonly<Record<string, string>>;
  /** How the page is called among those who are here. */
  readonly session: string;
  /** Who it was let in as: "kind id". */
  readonly actor: string;
  readonly positions: Readonly<Record<string, Position>>;
  /** What each of its tabs shows of itself, as bodies of `POST /presence`. */
  readonly shown: readonly ShownBody[];
}

export interface ShownBody {
  readonly tab?: unknown;
  readonly threads: Readonly<Record<string, unknown>>;
}

/** Undefined: nothing was attached. */
export function attachedTo(value: unknown): Attached | undefined {
  // The platform gives back what this package attached.
  return isObject(value) ? (value as unknown as Attached) : undefined;
}
