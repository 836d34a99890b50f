// The server under test: requests to it, as one of the identities.

import { defined } from "@opstate/core";
import type { IdentityName } from "../identities.ts";

export interface ServerUnderTest {
  /** The address of its routes. */
  readonly url: string;
  /** The headers of each identity. Default: `authorization: Bearer conformance-<name>`. */
  readonly headers?: Partial<Readonly<Record<IdentityName, Readonly<Record<string, string>>>>>;
  /** Milliseconds for one answer, and for one event. Default 30,000. */
  readonly timeout?: number;
}

export interface RequestToSend {
  /** Method and path. */
  readonly send: string;
  readonly as: IdentityName;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string | undefined;
  readonly signal: AbortSignal;
}

/** How often a request that comes at a bad time (429, 503) is sent again. */
const TRIES = 8;

/** Sends a request, and again after 429 and 503, as a client does. */
export async function sendTo(server: ServerUnderTest, request: RequestToSend): Promise<Response> {
  const [method = "", path = ""] = request.send.split(" ");
  for (let left = TRIES; ; left -= 1) {
    const response = await fetch(server.url.replace(/\/+$/, "") + path, {
      method,
      headers: {
        ...(request.text !== undefined && { "content-type": "application/json" }),
        ...headersOf(server, request.as),
        ...request.headers,
      },
      ...defined({ body: request.text }),
      signal: request.signal,
    });
    if (left === 0 || (response.status !== 429 && response.status !== 503)) return response;
    await response.body?.cancel();
    await pause(Number(response.headers.get("retry-after") ?? 1) * 1_000, request.signal);
  }
}

function headersOf({ headers = {} }: ServerUnderTest, name: IdentityName): Readonly<Record<string, string>> {
  if (name === "anonymous") return headers.anonymous ?? {};
  return headers[name] ?? { authorization: `Bearer conformance-${name}` };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
