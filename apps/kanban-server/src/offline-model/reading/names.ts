// A list in words: "A, B and C".

import { isQuoted } from "./quotes.ts";

export function names(phrase: string): readonly string[] {
  const parts = isQuoted(phrase) ? [phrase] : phrase.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/i);
  return parts.map((part) => part.trim().replace(/[.!?]+$/, "")).filter((part) => part !== "");
}
