// Reads a string member of a JSON object from the start of its text, before the rest is parsed.
//
// Invariant: the result is a hint only. The text may have the member twice, or be invalid JSON
// further on. The caller parses the whole text later and compares.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const DECODER = new TextDecoder("utf-8", { fatal: true });

/** The value of a string member of the outermost object, when `start` contains all of it. */
export function readStringMember(start: Uint8Array, name: string): string | undefined {
  let depth = 0;
  for (let index = 0; index < start.length; index += 1) {
    const byte = start[index];
    if (byte === QUOTE) {
      const end = endOfString(start, index);
      const after = skipSpace(start, end + 1);
      if (depth === 1 && start[after] === COLON && stringAt(start, index, end) === name) {
        const value = skipSpace(start, after + 1);
        return start[value] === QUOTE ? stringAt(start, value, endOfString(start, value)) : undefined;
      }
      index = end;
    } else if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return undefined;
}

/** The index of the closing quote, or the end of the bytes. */
function endOfString(json: Uint8Array, from: number): number {
  let index = from + 1;
  while (index < json.length && json[index] !== QUOTE) index += json[index] === BACKSLASH ? 2 : 1;
  return index;
}

function stringAt(json: Uint8Array, from: number, end: number): string | undefined {
  if (end >= json.length) return undefined;
  try {
    const text: unknown = JSON.parse(DECODER.decode(json.subarray(from, end + 1)));
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}

function skipSpace(json: Uint8Array, from: number): number {
  let index = from;
  while ([0x20, 0x09, 0x0a, 0x0d].includes(json[index] ?? -1)) index += 1;
  return index;
}
