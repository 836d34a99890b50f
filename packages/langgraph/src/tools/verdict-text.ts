// What a model reads of its verdict: true, short, and enough to go on with.

import type { AnyDefinition, Patch, PatchOperation, Verdict } from "@opstate/core";

const CHANGES = 6;
const VALUE_CHARACTERS = 160;
const DETAILS_CHARACTERS = 1200;

/**
 * The content of a tool message for a verdict. Starts with "Accepted" or "Refused". `times` is how often the same was refused on this
 * request: the thread's own count has no end, and what was refused in January may be worth a try in March.
 */
export function verdictText({ name }: AnyDefinition, verdict: Verdict, times: number): string {
  if (verdict.accepted) {
    if (verdict.commit === undefined) return `Accepted: ${name} needed no change; it is at version ${verdict.version}.`;
    return `Accepted: ${name} is now at version ${verdict.version}.\nChanged: ${changes(verdict.commit.patches)}`;
  }
  const { rejection, version } = verdict;
  return [
    `Refused (${rejection.reason ?? rejection.code}): ${rejection.message}`,
    rejection.path === undefined ? "" : `At: ${rejection.path}`,
    rejection.details === undefined ? "" : `Details: ${short(rejection.details, DETAILS_CHARACTERS)}`,
    `${name} is unchanged by this call, at version ${version}.`,
    times < 2 ? "" : `This was refused ${times} times: do not try it again, tell the user why it cannot be done.`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function changes(patches: Patch): string {
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

function short(value: unknown, characters: number): string {
  const json = JSON.stringify(value);
  return json.length <= characters ? json : `${json.slice(0, characters)}…`;
}
