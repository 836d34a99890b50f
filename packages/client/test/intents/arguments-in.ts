// The oracle of partial arguments, from what JSON.parse says of a text with something behind it.
//
// A member is closed when the text up to its end is an object but for the closing braces; a number
// or literal only when something follows it. The open text is what a quote and braces would close.

type Input = Record<string, unknown>;

/**
 * The arguments that count in the beginning of a text. `free`: the members that are free texts, by
 * their path, such as "title" and "note.body".
 */
export function argumentsIn(text: string, free: readonly string[]): Input | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const nested = free.filter((path) => path.includes(".")).map((path) => path.split(".")[0]);
  const counted = closedIn(text, nested);
  const open = openIn(text);
  for (const path of free) {
    const value = open && at(open, path);
    // It is the open one if it is in no shorter text that is closed.
    if (typeof value === "string" && (counted === undefined || at(counted, path) === undefined))
      return put(counted ?? {}, path, value);
  }
  return counted;
}

function closedIn(text: string, nested: readonly (string | undefined)[]): Input | undefined {
  for (let end = text.length; end > 0; end--) {
    const before = text.slice(0, end);
    const isClosed = /["}\]]$/.test(before) || /^[\s,}]/.test(text.slice(end));
    if (!isClosed && !/[{,]\s*$/.test(before)) continue;
    // What was begun: an object, or an object behind a comma.
    const kept = before.replace(/,\s*$/, "");
    const top = parsed(`${kept}}`);
    if (top !== undefined) return top;
    const inner = parsed(`${kept}}}`);
    const last = inner && Object.keys(inner).at(-1);
    if (inner !== undefined && nested.includes(last)) return inner;
  }
  return undefined;
}

function openIn(text: string): Input | undefined {
  // At most an escape that is not whole is left out.
  for (let cut = 0; cut < 6; cut++) {
    const kept = text.slice(0, text.length - cut);
    if (cut > 0 && !text.slice(kept.length).startsWith("\\")) continue;
    const whole = kept.replace(/[\ud800-\udbff]$/, "");
    for (const end of ['"}', '"}}']) {
      const value = parsed(whole + end) ?? parsed(kept + end);
      if (value !== undefined) return withoutHalf(value);
    }
  }
  return undefined;
}

/** Half a character at the end of a text, as an escape may leave it. */
function withoutHalf(value: Input): Input {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === "string" ? part.replace(/[\ud800-\udbff]$/, "") : part,
  ) as Input;
}

function parsed(text: string): Input | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Input) : undefined;
  } catch {
    return undefined;
  }
}

function at(input: Input, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as Input | undefined)?.[key], input);
}

function put(input: Input, path: string, text: string): Input {
  const [key = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...input, [key]: text };
  return { ...input, [key]: put((input[key] as Input | undefined) ?? {}, rest.join("."), text) };
}
