// How ids become text columns. An id may be any JavaScript string; Postgres text holds neither
// NUL nor a lone surrogate (the driver would turn both halves of a pair into the same character), so ids are stored with JSON's escapes:
// ordinary ids stay as they are, and no two ids become one.

import { parse } from "../document.ts";

export function escapeId(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}

export function unescapeId(text: unknown): string {
  return parse<string>(`"${String(text)}"`);
}
