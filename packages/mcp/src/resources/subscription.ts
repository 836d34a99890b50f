// Which subscribed resources a commit changes.

import type { Commit } from "@opstate/core";
import type { PatchOperation } from "@opstate/core/json-patch";
import type { Address } from "./uris.ts";

/** Whether what the address names may be another value after the commit. */
export function isChangedBy({ kind, rest }: Address, { patches }: Pick<Commit, "patches">): boolean {
  if (kind === "history") return true;
  return patches.some((patch) => touched(patch).some((place) => isWithin(rest, place) || isWithin(place, rest)));
}

/** An item that comes or goes moves those behind it, so its list is touched. */
function touched(patch: PatchOperation): readonly string[] {
  if (patch.op === "replace" || patch.op === "test") return [patch.path];
  return [parentOf(patch.path), ...("from" in patch ? [parentOf(patch.from)] : [])];
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}
