// Patches that lead from one state to another. They are exact; where a list got another order they
// replace the whole of it.

import { isContainer, isObject, own } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { Patch, PatchOperation } from "../patch/operation.ts";
import { knownIdentity } from "./identity.ts";
import { pointerOf } from "./json.ts";

export function difference(before: unknown, after: unknown): Patch {
  const patches: PatchOperation[] = [];
  compare(before, after, "", patches);
  return patches;
}

function compare(before: unknown, after: unknown, path: string, patches: PatchOperation[]): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, patches);
  else if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const at = path + pointerOf([key]);
      const [old, value] = [own(before, key), own(after, key)];
      if (value === undefined) patches.push({ op: "remove", path: at });
      else if (old === undefined) patches.push({ op: "add", path: at, value });
      else compare(old, value, at, patches);
    }
  } else if (!equal(before, after, Infinity)) patches.push({ op: "replace", path, value: after });
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  patches: PatchOperation[],
): void {
  const [then, now] = [before.map(keyOf), after.map(keyOf)];
  if (before.length === after.length && !then.some((key, index) => key !== now[index])) {
    for (const [index, item] of before.entries()) compare(item, after[index], `${path}/${index}`, patches);
    return;
  }
  const present = new Set(now);
  const were = new Map(then.map((key, index) => [key, index]));
  const stayed = then.filter((key) => present.has(key));
  const isRepeated = present.size < now.length || were.size < then.length;
  if (isRepeated || now.filter((key) => were.has(key)).some((key, index) => key !== stayed[index])) {
    patches.push({ op: "replace", path, value: after });
    return;
  }
  for (let index = before.length - 1; index >= 0; index--)
    if (!present.has(then[index])) patches.push({ op: "remove", path: `${path}/${index}` });
  for (const [index, value] of after.entries()) {
    const from = were.get(now[index]);
    if (from === undefined) patches.push({ op: "add", path: `${path}/${index}`, value });
    else compare(before[from], value, `${path}/${index}`, patches);
  }
}

/** What tells the items of a list apart. */
function keyOf(item: unknown): unknown {
  return isContainer(item) ? (knownIdentity(item) ?? item) : JSON.stringify(item);
}
