// How values become text columns. Documents are JSON text, as it was written. An id may be any JavaScript string; Postgres text holds neither
// NUL nor a lone surrogate (the driver would turn both halves of a pair into the same character), so ids are stored with JSON's escapes:
// ordinary ids stay as they are, and no two ids become one.

import { OpstateError } from "@opstate/core";

export function stringify(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new OpstateError("corrupt_log", `Only JSON can be stored, not ${typeof value}.`);
  return text;
}

export function parse<T>(document: unknown): T {
  // What is stored is what `stringify` got from the port's own types.
  return JSON.parse(String(document)) as T;
}

export function escapeId(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}

export function unescapeId(text: unknown): string {
  return parse<string>(`"${String(text)}"`);
}
