// How ids become text columns. An id may be any well-formed text, but Postgres text holds no NUL:
// ids are stored with JSON's escapes, so that ordinary ids stay as they are, and no two ids become
// one.

import { parse } from "../log/document.ts";

export function escapeId(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}

export function unescapeId(text: unknown): string {
  return parse<string>(`"${String(text)}"`);
}
