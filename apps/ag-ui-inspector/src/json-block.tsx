// A value as indented JSON; a text that is JSON is shown as what it says.

export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  return (
    <pre className="json" tabIndex={0} role="region" aria-label={label}>
      {pretty(value)}
    </pre>
  );
}

/** What is shown of a very long value; the rest is in the recording. */
const LONGEST = 20_000;

function pretty(value: unknown): string {
  const text = typeof value === "string" ? reindented(value) : (JSON.stringify(value, null, 2) ?? "undefined");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters` : text;
}

function reindented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
