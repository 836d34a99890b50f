// A value as indented JSON; a text that is JSON is shown as what it says.

/** What is shown of a very long value. */
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
