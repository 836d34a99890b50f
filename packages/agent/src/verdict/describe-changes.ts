// Patches in words, short enough for a model to read.

import type { Patch, PatchOperation } from "@opstate/core/json-patch";

const MAX_CHANGES = 6;
const MAX_VALUE_CHARACTERS = 160;

/** What patches changed: `set /count = 2; removed /cards/0`. */
export function describeChanges(patches: Patch): string {
  const described = patches.slice(0, MAX_CHANGES).map(describeChange);
  const rest = patches.length - described.length;
  return [...described, ...(rest > 0 ? [`${rest} more`] : [])].join("; ");
}

/** Whether the words of `describeChanges` leave nothing out. */
export function describesAll(patches: Patch): boolean {
  return (
    patches.length <= MAX_CHANGES &&
    patches.every(
      (patch) =>
        patch.op === "remove" ||
        ((patch.op === "add" || patch.op === "replace") && JSON.stringify(patch.value).length <= MAX_VALUE_CHARACTERS),
    )
  );
}

function describeChange(patch: PatchOperation): string {
  const path = patch.path === "" ? "the whole state" : patch.path;
  switch (patch.op) {
    case "add":
      return `added ${path} = ${truncatedJson(patch.value, MAX_VALUE_CHARACTERS)}`;
    case "remove":
      return `removed ${path}`;
    case "replace":
      return `set ${path} = ${truncatedJson(patch.value, MAX_VALUE_CHARACTERS)}`;
    default:
      return `${patch.op} ${path}`;
  }
}

/** JSON text of at most `characters`; "…" marks what was cut off. */
export function truncatedJson(value: unknown, characters: number): string {
  const json = JSON.stringify(value);
  return json.length <= characters ? json : `${json.slice(0, characters)}…`;
}
