// Applies a JSON Patch and leaves the document as it was, with each library.

import { applyPatch } from "@opstate/core/json-patch";
import fastJsonPatch, { type Operation as FastOperation } from "fast-json-patch";
import { immutableJSONPatch, type JSONPatchDocument } from "immutable-json-patch";
import { applyPatch as applyInPlace, type Operation as PlaceOperation } from "rfc6902";
import { type Change, changesOf, type Document, makeDocument } from "./documents.ts";
import type { Run } from "../harness/measure.ts";

export interface PatchArgs {
  readonly items: number;
  readonly change: string;
}

export const ROW = {
  hand: "hand-written path copy",
  opstate: "**opstate** `applyPatch`, with the inverse",
  fast: "fast-json-patch, no mutation",
} as const;

export const candidates = {
  [ROW.hand]: patcher((document, { byHand }) => byHand(document)),
  [ROW.opstate]: patcher((document, { patch }) => applied(applyPatch(document, patch))),
  "opstate `applyPatch`, no inverse": patcher((document, { patch }) =>
    applied(applyPatch(document, patch, { inverse: false })),
  ),
  "immutable-json-patch": patcher((document, { patch }) => immutableJSONPatch(document, patch as JSONPatchDocument)),
  [ROW.fast]: patcher(
    (document, { patch }) => fastJsonPatch.applyPatch(document, patch as FastOperation[], false, false).newDocument,
  ),
  "rfc6902 on a structuredClone": patcher((document, { patch }) => {
    const copy = structuredClone(document);
    applyInPlace(copy, patch as PlaceOperation[]);
    return copy;
  }),
};

function applied(result: ReturnType<typeof applyPatch>): unknown {
  if (!result.ok) throw new Error(result.error.message);
  return result.document;
}

function patcher(step: (document: Document, change: Change) => unknown): (args: PatchArgs) => Run {
  return ({ items, change: name }) => {
    const document = makeDocument(items);
    const change = changesOf(document)[name] as Change;
    if (JSON.stringify(step(document, change)) !== JSON.stringify(change.byHand(document)))
      throw new Error(`another result of "${name}"`);
    return (count) => {
      for (let i = 0; i < count; i++) step(document, change);
    };
  };
}
