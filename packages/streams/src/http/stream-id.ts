// The id of the stream that a path names: what follows the server's own prefix.
//
// Invariant: the id that rights are checked for is the id that the store gets.

import { OpstateError } from "@opstate/core";
import { checkId } from "../store/guarded-store.ts";
import { Problem } from "./problem.ts";

/** Of the protocol: subscriptions, which this server does not have, and what may come. */
const RESERVED = /^__ds(?:\/|$)/;

/** `prefix` begins and ends with a slash. Throws a Problem for a path that names no stream. */
export function streamIdOf(pathname: string, prefix: string): string {
  if (!pathname.startsWith(prefix) || pathname === prefix)
    throw new Problem("not_found", `Streams are below "${prefix}".`);
  let id: string;
  try {
    id = decodeURIComponent(pathname.slice(prefix.length));
    checkId(id);
  } catch (error) {
    if (!(error instanceof URIError || error instanceof OpstateError)) throw error;
    throw new Problem(
      "invalid_id",
      "The path is not the id of a stream: at most 512 characters, no control characters.",
    );
  }
  if (RESERVED.test(id)) throw new Problem("not_found", "This server has no subscriptions.");
  return id;
}
