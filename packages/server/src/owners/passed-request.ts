// A request of a client that another node answers, as bytes:
//
//   {"method":"POST","url":"https://...","headers":[["authorization","..."],...]} \n body
//
// It is the same request there: its credentials are checked again, with its own address.

import { isObject } from "@opstate/core/json";

/** About the connection, or what this node's own answer is made by. */
const LEFT_OUT = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const NEWLINE = 10;

export function packRequest(
  { method, url, headers }: Request,
  requestId: string,
  body: string,
): Uint8Array<ArrayBuffer> {
  const own = [...headers].filter(([name]) => !LEFT_OUT.has(name) && name !== "x-request-id");
  const head = { method, url, headers: [...own, ["x-request-id", requestId]] };
  return new TextEncoder().encode(`${JSON.stringify(head)}\n${body}`);
}

/** Undefined for what no node sends. */
export function unpackRequest(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Request | undefined {
  const end = bytes.indexOf(NEWLINE);
  if (end === -1) return undefined;
  try {
    const head: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    if (!isObject(head)) return undefined;
    const { method, url, headers }: { method?: unknown; url?: unknown; headers?: unknown } = head;
    if (typeof method !== "string" || typeof url !== "string" || !Array.isArray(headers)) return undefined;
    const body = bytes.subarray(end + 1);
    return new Request(url, { method, headers, signal, ...(body.length > 0 && { body }) });
  } catch {
    return undefined;
  }
}

/** Says that the answer is that of the client's request, and not of the node's. */
const ANSWERED = "opstate-node-answered";

export function markAnswer(answer: Response): Response {
  const headers = new Headers(answer.headers);
  headers.set(ANSWERED, "1");
  return new Response(answer.body, { status: answer.status, headers });
}

export function isAnswer(response: Response): boolean {
  return response.headers.has(ANSWERED);
}

/** The answer as the client gets it. */
export function unmarkAnswer(response: Response, body: Response["body"]): Response {
  const headers = new Headers(response.headers);
  // What was compressed is not any more.
  for (const name of [ANSWERED, "content-encoding", "content-length", "date", ...LEFT_OUT]) headers.delete(name);
  return new Response(body, { status: response.status, headers });
}
