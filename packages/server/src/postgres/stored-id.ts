// Ids as text columns. An id may be any well-formed text, but a Postgres text cannot contain NUL.
// So ids are stored with JSON's escapes: ordinary ids stay as they are, and different ids stay
// different.

import { parse } from "../log/document.ts";

export function escapeId(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}

export function unescapeId(text: unknown): string {
  return parse<string>(`"${String(text)}"`);
}
