// Items of arrays that a schema left out. JSON has no absent item: its text would say null, and a
// stored state would come back as another one.
//
//   z.tuple([z.string().optional(), z.number().default(5)])      []  ->  [undefined, 5]
//   z.array(z.string().catch(() => undefined))                  [1]  ->  [undefined]

import { isContainer } from "../../json/container.ts";

/**
 * Where `output`, which a schema made of the JSON value `input`, has an array with an absent item;
 * undefined when nowhere. What both share is not looked into.
 */
export function absentItem(input: unknown, output: unknown): readonly PropertyKey[] | undefined {
  if (input === output || !isContainer(output)) return undefined;
  const before = isContainer(input) ? input : undefined;
  if (Array.isArray(output)) {
    const items: readonly unknown[] = output;
    for (let index = 0; index < items.length; index++) {
      if (items[index] === undefined) return [index];
      const found = absentItem(before?.[index], items[index]);
      if (found !== undefined) return [index, ...found];
    }
    return undefined;
  }
  for (const key of Object.keys(output)) {
    const inner = before !== undefined && Object.hasOwn(before, key) ? before[key] : undefined;
    const found = absentItem(inner, output[key]);
    if (found !== undefined) return [key, ...found];
  }
  return undefined;
}
