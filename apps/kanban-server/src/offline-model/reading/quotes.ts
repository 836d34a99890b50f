// Masks quoted text before a request is read, so that "and", "to" or a comma in a title splits
// nothing, and restores it afterwards.

const OPEN = "\uE000";
const CLOSE = "\uE001";
const PLACEHOLDER = new RegExp(`${OPEN}(\\d+)${CLOSE}`, "g");

// A quote opens after a space or bracket and closes before a space or punctuation: the apostrophe
// of "don't" does neither.
const QUOTED =
  /(?<=^|[\s(,:])(?:"([^"]+)"|“([^”]+)”|‘([^’]+)’|«([^»]+)»|`([^`]+)`|'((?:[^']|'(?=\w))+)')(?=$|[\s),.:;!?])/g;

export interface Masked {
  readonly text: string;
  /** The value with every quoted text back in its strings. */
  restore<Value>(value: Value): Value;
}

export function maskQuotes(text: string): Masked {
  const held: string[] = [];
  const masked = text
    .replaceAll(OPEN, "")
    .replaceAll(CLOSE, "")
    .replace(QUOTED, (whole: string, ...groups: unknown[]) => {
      const inside = groups.slice(0, 6).find((group) => typeof group === "string");
      return `${OPEN}${held.push(typeof inside === "string" ? inside.trim() : whole) - 1}${CLOSE}`;
    });
  const restoreText = (value: string) => value.replace(PLACEHOLDER, (_, index: string) => held[Number(index)] ?? "");
  const restore = (value: unknown): unknown => {
    if (typeof value === "string") return restoreText(value);
    if (Array.isArray(value)) return value.map(restore);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, restore(each)]));
    return value;
  };
  // The same shape comes back: only the contents of strings change.
  return { text: masked, restore: <Value>(value: Value) => restore(value) as Value };
}

/** The texts that stand in quotes. */
export function quotedIn(text: string): readonly string[] {
  const { text: masked, restore } = maskQuotes(text);
  return restore(quotedParts(masked));
}

/** Whether a phrase is one quoted text and nothing else. */
export const isQuoted = (phrase: string): boolean => new RegExp(`^${OPEN}\\d+${CLOSE}$`).test(phrase.trim());

/** Whether a phrase holds quoted text. */
export const isMasked = (phrase: string): boolean => phrase.includes(OPEN);

/** The phrase's quoted texts, still masked, in order. */
export const quotedParts = (phrase: string): readonly string[] => phrase.match(PLACEHOLDER) ?? [];
