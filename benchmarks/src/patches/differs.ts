// Finds the JSON Patch between two documents, with each library.

import { diff } from "@opstate/core/json-patch";
import fastJsonPatch from "fast-json-patch";
import { createPatch } from "rfc6902";
import { type Document, editsOf, makeDocument } from "./documents.ts";
import type { Run } from "../harness/measure.ts";

export interface DiffArgs {
  readonly items: number;
  readonly edit: string;
}

type Differ = (before: Document, after: Document) => { readonly length: number };

/** rfc6902 takes minutes and gigabytes from some thousand items on. */
export const forMany: Readonly<Record<string, Differ>> = {
  "**opstate** `diff`": diff,
  "fast-json-patch compare": fastJsonPatch.compare,
};
export const forFew: Readonly<Record<string, Differ>> = { ...forMany, "rfc6902 createPatch": createPatch };

export const candidates = Object.fromEntries(
  Object.entries(forFew).map(([name, step]) => [name, (args: DiffArgs) => differ(step, args)]),
);

function differ(step: Differ, { items, edit }: DiffArgs): Run {
  const before = makeDocument(items);
  const after = editsOf(before)[edit] as Document;
  return (count) => {
    for (let i = 0; i < count; i++) step(before, after);
  };
}
