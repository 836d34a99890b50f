// What an operation created, in words: the ids that a model needs for its next call.
//
// Created is what the patches bring and the inverse does not bring back: a moved card is in both.

import type { Patch } from "@opstate/core/json-patch";
import { idOf, labelOf } from "./thing-name.ts";

const MAX_CREATED = 6;
const MAX_LABEL_CHARACTERS = 60;

/** `T-8k2m4q9x1z "Send invoices" and T-3v7d0w2c5n "Call Ada"`; undefined when nothing has an id. */
export function describeCreated(patches: Patch, inverse: Patch): string | undefined {
  const before = new Set(thingsIn(inverse).map(({ id }) => id));
  const created = new Map(thingsIn(patches).flatMap((thing) => (before.has(thing.id) ? [] : [[thing.id, thing]])));
  if (created.size === 0) return undefined;
  const named = [...created.values()]
    .slice(0, MAX_CREATED)
    .map(({ id, label }) => [id, label].filter(Boolean).join(" "));
  const rest = created.size - named.length;
  const last = rest > 0 ? `${rest} more` : named.length > 1 ? named.pop() : undefined;
  return last === undefined ? named.join(", ") : `${named.join(", ")} and ${last}`;
}

interface Thing {
  readonly id: string;
  readonly label: string | undefined;
}

function thingsIn(patches: Patch): readonly Thing[] {
  return patches.flatMap((step) => {
    if (step.op !== "add" && step.op !== "replace") return [];
    const key = step.path.slice(step.path.lastIndexOf("/") + 1);
    const things: Thing[] = [];
    collect(step.value, step.op === "add" ? key : "", things);
    return things;
  });
}

function collect(value: unknown, key: string, things: Thing[]): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) {
    const id = idOf(value) ?? (MADE.test(key) ? key : undefined);
    if (id !== undefined) things.push({ id, label: quotedLabel(value) });
  }
  for (const [name, part] of Object.entries(value)) collect(part, Array.isArray(value) ? "" : name, things);
}

/** A key that an operation made: a record's values are known by theirs. */
const MADE = /(?:^|[^0-9a-z])[0-9a-hjkmnp-tv-z]{10}$/;

function quotedLabel(value: object): string | undefined {
  const text = labelOf(value);
  if (text === undefined) return undefined;
  // A person wrote it: it is quoted, as data.
  return JSON.stringify(text.length > MAX_LABEL_CHARACTERS ? `${text.slice(0, MAX_LABEL_CHARACTERS)}…` : text);
}
