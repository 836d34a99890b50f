// A state as compact JSON within a budget: whole when it fits; otherwise lists and texts are cut,
// and marks say where.

/** From mild to harsh: how many items of a list and characters of a text are kept. */
const CUTS = [
  { items: 100, characters: 400 },
  { items: 30, characters: 200 },
  { items: 10, characters: 100 },
  { items: 3, characters: 60 },
  { items: 1, characters: 30 },
];

export interface Outline {
  readonly json: string;
  readonly whole: boolean;
}

/**
 * JSON text of at most `characters`. "… n more" stands where something was cut. `<` is escaped, so
 * that no text in the state can close the tag around it.
 */
export function outline(state: unknown, characters: number): Outline {
  const full = text(state);
  if (full.length <= characters) return { json: full, whole: true };
  for (const limits of CUTS) {
    const json = text(cut(state, limits));
    if (json.length <= characters) return { json, whole: false };
  }
  return { json: text(`… ${full.length} characters of JSON, too large to show`), whole: false };
}

function cut(value: unknown, limits: (typeof CUTS)[number]): unknown {
  if (typeof value === "string" && value.length > limits.characters)
    return `${value.slice(0, limits.characters)}… ${value.length - limits.characters} more characters`;
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cut(child, limits)]));
  const kept = value.slice(0, limits.items).map((item) => cut(item, limits));
  return value.length > kept.length ? [...kept, `… ${value.length - kept.length} more`] : kept;
}

function text(value: unknown): string {
  return JSON.stringify(value ?? null).replaceAll("<", "\\u003c");
}
