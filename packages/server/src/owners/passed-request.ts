// A request of a client that another node answers, as bytes, and its answer:
//
//   {"method":"POST","url":"https://...","headers":[["authorization","..."],...]} \n body
//
// It is the same request there: its credentials are checked again, with its own address.

import { isObject } from "@opstate/core/json";

export interface PassedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** Of the client's connection. */
  readonly signal: AbortSignal;
  /** Made when it is sent: it may be large, and mostly it stays here. */
  readonly body: () => string;
  /** Ends the answer early: its reader is to come back, elsewhere. */
  readonly until?: AbortSignal;
  /** Breaks the answer off, where its host can: what was sent of it is not all. */
  readonly breakOff?: (() => void) | undefined;
}

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

export function packRequest({ method, url, headers, body }: PassedRequest): Uint8Array<ArrayBuffer> {
  const head = { method, url, headers: [...headers].filter(([name]) => !LEFT_OUT.has(name)) };
  return new TextEncoder().encode(`${JSON.stringify(head)}\n${body()}`);
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
export function unmarkAnswer(response: Response, body: Response["body"] | string): Response {
  const headers = new Headers(response.headers);
  // What was compressed is not any more.
  for (const name of [ANSWERED, "content-encoding", "content-length", "date", ...LEFT_OUT]) headers.delete(name);
  return new Response(body, { status: response.status, headers });
}

/** The same bytes. Calls back when there are no more, or nobody reads them any more. */
export function passedBody(
  { body }: Response,
  { until, breakOff }: PassedRequest,
  onOver: () => void,
): Response["body"] {
  if (body === null) {
    onOver();
    return null;
  }
  const reader = body.getReader();
  let isRead = true;
  return new ReadableStream({
    async pull(controller) {
      const next = await reader.read().catch(() => undefined);
      if (!isRead) return;
      if (next?.done === false) return controller.enqueue(next.value);
      onOver();
      const isWhole = next !== undefined || until?.aborted === true;
      if (isWhole) return controller.close();
      if (breakOff === undefined) return controller.error(new Error("The other server broke off its answer."));
      // An adapter would write the error into the answer.
      breakOff();
      controller.close();
    },
    cancel(reason) {
      isRead = false;
      onOver();
      return reader.cancel(reason);
    },
  });
}
