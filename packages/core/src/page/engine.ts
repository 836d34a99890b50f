// What a definition and a replica run on in the page's build: the other side of `src/engine.ts`,
// with the same names. What it cannot know, it leaves to the authority.

import type { AnyDefinition } from "../definition/definition.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";
import type { Commit } from "../thread/commit.ts";
import type { Origin } from "../thread/origin.ts";
import type { UpdateRead } from "../thread/authority/read-update.ts";
import { canonicalJson } from "../json/canonical.ts";
import { typeOf } from "../thread/type-of.ts";
import { copyJsonOnPage } from "./json.ts";
import { rejection } from "./reject.ts";

export { compile } from "./compile.ts";
export { confirm, confirmCommit, isSameOutcome } from "./confirmed.ts";
export { rejection } from "./reject.ts";
export { run } from "./run.ts";
export { describeOperation } from "./sentence.ts";
export { isHeldToThings, nameState, nameStep, otherThing, submittedThing, THINGS_LIMIT } from "./things.ts";

/** An update read once: copied, so that its sender may change its own objects afterwards. */
export function readUpdate(_: AnyDefinition, update: unknown): UpdateRead {
  let operation: unknown;
  let unreadable: Rejection | undefined;
  try {
    operation = copyJsonOnPage(update);
  } catch (error) {
    const type = typeOf(update);
    unreadable = rejection("invalid_operation", type, String(error));
    operation = { type };
  }
  return { operation, hash: canonicalJson(operation), unreadable };
}

/** An id is used for one operation. */
export function reused(id: string, update: unknown): Rejection {
  return rejection("conflict", typeOf(update), `"${id}" was used before.`, { path: "/id" });
}

/** What a commit carries out. Of an approval and a merge a page need not know whose work it was. */
export function originOf(commit: Commit): Origin {
  return { ...commit, source: commit };
}
