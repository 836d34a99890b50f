// A stream server without a port: requests go to its `fetch`.

import { onTestFinished } from "vitest";
import { createStreamServer, memoryStreams, type StreamServer, type StreamServerOptions } from "../../src/index.ts";

export const ORIGIN = "http://localhost:4437";

export interface Asked extends RequestInit {
  readonly path?: string;
}

/** Streams are text, unless a request says otherwise. */
export function open(options: Partial<StreamServerOptions> = {}): {
  readonly server: StreamServer;
  ask(method: string, init?: Asked): Promise<Response>;
} {
  const server = createStreamServer({
    store: memoryStreams(),
    ...(options.authorize === undefined && { insecure: true }),
    ...options,
  });
  onTestFinished(() => server.close());
  return {
    server,
    ask: (method, { path = "/a", ...init } = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has("content-type")) headers.set("content-type", "text/plain");
      return server.fetch(new Request(ORIGIN + path, { ...init, method, headers }));
    },
  };
}

export async function codeOf(response: Response): Promise<string> {
  const { code } = (await response.json()) as { readonly code: string };
  return `${response.status} ${code}`;
}
