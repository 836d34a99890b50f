// Reads the body of a request as JSON.
//
// Invariants:
// - The content type is checked first.
// - Bytes are counted while they arrive. A body over the limit is not read to its end.
// - The nesting depth is checked before the text is parsed.

import { eventLoop, Pace } from "@opstate/core/thread";
import { isDeeperThan } from "./json-depth.ts";
import { parseInSlices, TooDeep } from "./json-slices.ts";
import { Problem } from "./problem.ts";

export interface BodyLimits {
  readonly bytes: number;
  readonly depth: number;
}

/**
 * Gets the first 64 KB of a body, or all of a shorter one. It rejects when the rest must not be
 * read.
 */
export type OnStart = (start: Uint8Array, isAll: boolean) => Promise<void>;

/** Bytes from which on a body is parsed in slices. */
const LARGE = 256 * 1024;
const START_SIZE = 64 * 1024;

export async function readJson(request: Request, limits: BodyLimits, onStart?: OnStart): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  // This check also keeps out forms of other sites: a browser sends application/json to another
  // origin only after a preflight request.
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Problem(
      "unsupported_media_type",
      `Send the body with "content-type: application/json", not "${type.slice(0, 100)}".`,
    );
  }
  if (Number(request.headers.get("content-length")) > limits.bytes) throw tooLarge(limits.bytes);
  const bytes = await readBytes(request, limits.bytes, onStart);
  if (bytes.length > LARGE) return parseLarge(request, bytes, limits);
  if (isDeeperThan(bytes, limits.depth)) throw tooDeep(limits.depth);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw notJson();
  }
}

async function parseLarge({ signal }: Request, bytes: Uint8Array, { depth }: BodyLimits): Promise<unknown> {
  try {
    return await parseInSlices(bytes, depth, new Pace(eventLoop, signal));
  } catch (error) {
    if (error instanceof TooDeep) throw tooDeep(depth);
    if (error instanceof SyntaxError || error instanceof TypeError) throw notJson();
    throw error;
  }
}

/** The body. One that is larger than `limit` bytes is not read to its end. */
export async function readBytes(request: Request, limit: number, onStart?: OnStart): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let notify = onStart;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the stream.
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
    if (notify === undefined || size < START_SIZE) continue;
    await notify(concat(chunks, size), false);
    notify = undefined;
  }
  const bytes = concat(chunks, size);
  await notify?.(bytes, true);
  return bytes;
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function tooDeep(depth: number): Problem {
  return new Problem("body_too_large", `The body nests deeper than ${depth} levels.`);
}

function notJson(): Problem {
  return new Problem("not_json", "The body is not valid JSON in UTF-8.");
}

function tooLarge(limit: number): Problem {
  return new Problem("body_too_large", `The body is larger than ${limit} bytes.`);
}
