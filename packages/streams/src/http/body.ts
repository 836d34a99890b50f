// Reads the body of a request, and makes messages of it.
//
// Invariants:
// - Bytes are counted while they arrive. A body over the limit is not read to its end.
// - A JSON message is stored as it was written, so numbers and repeated keys are not changed.

import { Problem } from "./problem.ts";

export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the stream.
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function tooLarge(limit: number): Problem {
  return new Problem("body_too_large", `The body is larger than ${limit} bytes. Send it in several appends.`);
}

/** The messages of a body in JSON: the items of an array, or the one value that it is. */
export function jsonMessages(body: Uint8Array, most: number): readonly Uint8Array[] {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body).trim();
    value = JSON.parse(text);
  } catch {
    throw new Problem("not_json", "The body is not valid JSON in UTF-8, as a stream of application/json takes it.");
  }
  const encoder = new TextEncoder();
  if (Array.isArray(value) && value.length > most)
    throw new Problem("body_too_large", `The body has more than ${most} messages. Send them in several appends.`);
  const texts = Array.isArray(value) ? itemsOf(text) : [text];
  return texts.map((one) => encoder.encode(one));
}

/** The texts of an array's items. The text is valid JSON. */
function itemsOf(text: string): readonly string[] {
  const items: string[] = [];
  let begin = 1;
  let depth = 0;
  let isInString = false;
  const take = (end: number) => {
    const item = text.slice(begin, end).trim();
    if (item !== "") items.push(item);
    begin = end + 1;
  };
  for (let at = 1; at < text.length - 1; at += 1) {
    const char = text.charCodeAt(at);
    if (isInString) {
      if (char === BACKSLASH) at += 1;
      else if (char === QUOTE) isInString = false;
    } else if (char === QUOTE) isInString = true;
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) depth += 1;
    else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth -= 1;
    else if (char === COMMA && depth === 0) take(at);
  }
  take(text.length - 1);
  return items;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
