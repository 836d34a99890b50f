// Compares the output of a schema with its input.

import { isContainer, isRecord } from "../../json/container.ts";

/**
 * `output`, with every part that equals its counterpart replaced by that of `input`; `input` itself
 * when all of it is equal. Parts are compared place by place: a schema moves nothing.
 */
export function shareByPlace(input: unknown, output: unknown): unknown {
  if (input === output || !isContainer(input) || !isContainer(output)) return output;
  if (Array.isArray(input) && Array.isArray(output)) {
    const items = output.map((item, index) => shareByPlace(input[index], item));
    return items.length === input.length && items.every((item, index) => item === input[index]) ? input : items;
  }
  if (!isRecord(input) || !isRecord(output)) return output;
  // Absent, for zod, may also be there as undefined.
  const keys = Object.keys(output).filter((key) => output[key] !== undefined);
  const shared: Record<string, unknown> = {};
  let same = keys.length === Object.keys(input).length;
  for (const key of keys) {
    const before = Object.hasOwn(input, key) ? input[key] : undefined;
    const item = shareByPlace(before, output[key]);
    if (item !== before) same = false;
    shared[key] = item;
  }
  return same ? input : shared;
}

/** The keys that `input` has and `output` has lost, container by container. */
export function lostKeys(
  input: unknown,
  output: unknown,
  path: PropertyKey[] = [],
): { readonly path: PropertyKey[]; readonly keys: string[]; readonly input: unknown }[] {
  if (input === output || !isContainer(input) || !isContainer(output)) return [];
  const keys = Object.keys(input).filter((key) => input[key] !== undefined);
  const lost = Array.isArray(output) ? [] : keys.filter((key) => !Object.hasOwn(output, key));
  const below = keys.flatMap((key) =>
    lostKeys(input[key], output[key], [...path, Array.isArray(input) ? Number(key) : key]),
  );
  return lost.length > 0 ? [{ path, keys: lost, input }, ...below] : below;
}

/**
 * A copy of plain JSON that shares nothing with it: a schema's default value is the author's.
 * `copyJson` would count its parts, which were judged already.
 */
export function detach(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(detach);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) if (value[key] !== undefined) copy[key] = detach(value[key]);
  return copy;
}

/**
 * `value` with these keys set, or left out where the change is undefined; the order of keys is
 * kept.
 */
export function amend(
  value: Readonly<Record<string, unknown>>,
  changes: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  const amended: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = changes.has(key) ? changes.get(key) : value[key];
    if (item !== undefined) amended[key] = item;
  }
  for (const [key, item] of changes) if (item !== undefined && !Object.hasOwn(amended, key)) amended[key] = item;
  return amended;
}
