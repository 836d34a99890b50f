// A value as indented JSON. A text that contains JSON is indented, too.

/** Longer texts are cut at this many characters. */
const MAX_LENGTH = 20_000;

export function jsonText(value: unknown): string {
  const text = typeof value === "string" ? reindented(value) : (JSON.stringify(value, null, 2) ?? "undefined");
  return text.length > MAX_LENGTH
    ? `${text.slice(0, MAX_LENGTH)}\n… ${text.length - MAX_LENGTH} more characters`
    : text;
}

function reindented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
