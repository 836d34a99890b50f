// Random edits of a JSON value, as an operation makes them: in place, on a draft.

import * as fc from "fast-check";
import { junk } from "./schemas.ts";

export interface Edit {
  readonly path: readonly number[];
  readonly sort: number;
  readonly at: number;
  readonly to: number;
  readonly junk: unknown;
}

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record(
    { path: fc.array(fc.nat(7), { maxLength: 5 }), sort: fc.nat(11), at: fc.nat(7), to: fc.nat(7), junk },
    { noNullPrototype: true },
  ),
  { minLength: 1, maxLength: 4 },
);

type Container = Record<string, unknown>;

/**
 * Edits `draft`. `donor` is another value of the same schema: what is there is likely to be
 * valid at the same place.
 */
export function edit(draft: unknown, donor: unknown, list: readonly Edit[]): void {
  for (const one of list) {
    let [target, like] = [draft, donor];
    for (const step of one.path) {
      const children = isContainer(target) ? Object.entries(target).filter(([, child]) => isContainer(child)) : [];
      const child = children[step % (children.length || 1)];
      if (child === undefined) break;
      target = child[1];
      like = isContainer(like)
        ? Object.hasOwn(like, child[0])
          ? Reflect.get(like, child[0])
          : Object.values(like)[0]
        : undefined;
    }
    const fresh = { ...one, junk: structuredClone(one.junk) };
    if (Array.isArray(target)) editArray(target, like, fresh);
    else if (isContainer(target)) editObject(target, like, fresh);
  }
}

function editArray(items: unknown[], donor: unknown, { sort, at, to, junk: given }: Edit): void {
  const index = at % (items.length || 1);
  const fresh = donated(donor, to, given);
  switch (sort) {
    case 0:
      return void (items[index] = given);
    case 1:
      return void items.push(given);
    case 2:
    case 3:
      return void items.splice(at % (items.length + 1), 0, fresh);
    case 4:
      return void items.splice(index, 1);
    case 5:
      return void items.reverse();
    case 6:
      return void items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    case 7:
    case 8:
      return void items.splice(to % (items.length || 1), 0, ...items.splice(index, 1));
    case 9:
      return void items.unshift(fresh);
    default:
      return void (items[index] = fresh);
  }
}

function editObject(value: Record<string, unknown>, donor: unknown, { sort, at, to, junk: given }: Edit): void {
  const keys = Object.keys(value);
  const key = keys[at % (keys.length || 1)] ?? "a";
  const other = keys[to % (keys.length || 1)] ?? "b";
  const fresh = donated(donor, to, given);
  switch (sort) {
    case 0:
    case 1:
      value[key] = given;
      return;
    case 2:
      delete value[key];
      return;
    case 3:
      value["zz"] = given;
      return;
    case 4:
      // One value in two places.
      if (Object.hasOwn(value, other)) value[key] = value[other];
      return;
    case 5: {
      const [one, two] = [value[key], value[other]];
      if (one === undefined || two === undefined) return;
      value[key] = two;
      value[other] = one;
      return;
    }
    case 6:
      if (isContainer(donor)) Object.assign(value, structuredClone(donor));
      return;
    default:
      value[key] = isContainer(donor) && Object.hasOwn(donor, key) ? structuredClone(Reflect.get(donor, key)) : fresh;
  }
}

function donated(donor: unknown, at: number, otherwise: unknown): unknown {
  const given = isContainer(donor) ? Object.values(donor) : [];
  return given.length === 0 ? otherwise : structuredClone(given[at % given.length]);
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
