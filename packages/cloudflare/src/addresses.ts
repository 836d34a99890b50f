// Which object has a thread, and how objects call each other.
//
// Invariants:
// - A thread and all of its branches are in one object: the id of a branch begins with that of its
//   parent, and "~".
// - No request from outside reaches an internal path: the Worker passes on the paths of routes.

import type { ObjectNamespace, ObjectStub } from "./platform.ts";

/** Code points. The id of a branch has at least so many of its parent's. */
const NAME_LENGTH = 100;

/** The object with the thread of this id. */
export function objectNameOf(threadId: string): string {
  const end = threadId.indexOf("~", 1);
  const root = end === -1 ? threadId : threadId.slice(0, end);
  return Array.from(root).slice(0, NAME_LENGTH).join("");
}

export function stubOf(namespace: ObjectNamespace, name: string): ObjectStub {
  return namespace.get(namespace.idFromName(name));
}

/** All lists are in one object. */
export function indexStub(namespace: ObjectNamespace): ObjectStub {
  return stubOf(namespace, "index");
}

/** POST to the index: what is listed no longer, and what is from now on. */
export const LISTING_PATH = "/$listing";

/** The header in which the Worker gives an object its name. */
export const NAME_HEADER = "opstate-object";

/** The same request with another path or body. Whether its body is JSON stays its own word. */
export function requestWith(request: Request, change: { readonly path?: string; readonly body?: string }): Request {
  const url = new URL(request.url);
  if (change.path !== undefined) url.pathname = change.path;
  const headers = new Headers(request.headers);
  if (change.body === undefined) return new Request(url, request);
  headers.delete("content-length");
  headers.delete("content-encoding");
  return new Request(url, { method: request.method, headers, body: change.body });
}

/** An answer put together of those of several objects. Its headers are those of one of them. */
export function joinedAnswer(body: unknown, one: Response | undefined): Response {
  const joined = new Headers(one?.headers);
  for (const name of ["content-length", "content-encoding"]) joined.delete(name);
  joined.set("content-type", "application/json");
  return new Response(JSON.stringify(body), { headers: joined });
}

/** The values in groups, by the object that each belongs to. */
export function byObject<T>(values: Iterable<T>, threadIdOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const name = objectNameOf(threadIdOf(value));
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}
