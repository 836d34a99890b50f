// JSON answers in gzip or brotli, for clients that take it.
//
// Invariants:
// - Streams, and answers that have a coding already, stay as they are.
// - What is small stays as it is: the headers are most of it.
// - The work is done beside the event loop.

import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Bytes. */
const SMALLEST = 1_000;

const JSON_TYPE = /^application\/(json|problem\+json)\b/;

/** The same answer, compressed when it gains by it. */
export async function compressAnswer(request: Request, response: Response): Promise<Response> {
  const { headers, status, body } = response;
  if (body === null || headers.has("content-encoding") || !JSON_TYPE.test(headers.get("content-type") ?? ""))
    return response;
  const compressed = new Headers(headers);
  compressed.append("vary", "accept-encoding");
  const coding = codingFor(request.headers.get("accept-encoding"));
  const content = new Uint8Array(await response.arrayBuffer());
  if (coding === undefined || content.byteLength < SMALLEST)
    return new Response(content, { status, headers: compressed });
  compressed.set("content-encoding", coding);
  compressed.delete("content-length");
  return new Response(new Uint8Array(await CODINGS[coding](content)), { status, headers: compressed });
}

type Coding = keyof typeof CODINGS;

// Answers are made anew each time: the levels are those that cost little.
const CODINGS = {
  br: (content: Uint8Array) =>
    brotliAsync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength },
    }),
  gzip: (content: Uint8Array) => gzipAsync(content),
} satisfies Readonly<Record<string, (content: Uint8Array) => Promise<Uint8Array>>>;

/** The best coding that a client accepts; undefined for the content as it is. */
function codingFor(accepted: string | null): Coding | undefined {
  const weights = new Map(parseAccept(accepted ?? "").map(({ type, q }) => [type.toLowerCase(), q]));
  const weightOf = (name: Coding) => weights.get(name) ?? weights.get("*") ?? 0;
  const best: Coding = weightOf("gzip") > weightOf("br") ? "gzip" : "br";
  return weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0) ? best : undefined;
}
