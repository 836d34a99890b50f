// Patches in words, short.

import type { Patch, PatchOperation } from "@opstate/core/json-patch";

const CHANGES = 6;
const VALUE_CHARACTERS = 160;

/** What patches changed: `set /count = 2; removed /cards/0`. */
export function changed(patches: Patch): string {
  const told = patches.slice(0, CHANGES).map(change);
  const rest = patches.length - told.length;
  return [...told, ...(rest > 0 ? [`${rest} more`] : [])].join("; ");
}

function change(patch: PatchOperation): string {
  const path = patch.path === "" ? "the whole state" : patch.path;
  switch (patch.op) {
    case "add":
      return `added ${path} = ${short(patch.value, VALUE_CHARACTERS)}`;
    case "remove":
      return `removed ${path}`;
    case "replace":
      return `set ${path} = ${short(patch.value, VALUE_CHARACTERS)}`;
    default:
      return `${patch.op} ${path}`;
  }
}

/** JSON text of at most so many characters, and a sign that it was cut. */
export function short(value: unknown, characters: number): string {
  const json = JSON.stringify(value);
  return json.length <= characters ? json : `${json.slice(0, characters)}…`;
}
