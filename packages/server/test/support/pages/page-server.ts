// A server and its page on one origin, in a process of its own that tests kill: threads at /api, at
// every other path the page, whose script is a file.

import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { AnyDefinition } from "@opstate/core";
import { createServer } from "../../../src/index.ts";
import { openStore, type Store } from "../store.ts";

interface PageServerOptions {
  readonly definition: AnyDefinition;
  /** A `Store` as JSON. */
  readonly store: string;
  readonly script: string;
  readonly port: string;
}

const HTML = '<!doctype html><title>page</title><script type="module" src="/page.js"></script>';

/** Sends its address to the process that started this one. */
export function servePage({ definition, store, script, port }: PageServerOptions): void {
  const log = openStore(JSON.parse(store) as Store);
  const server = createServer({ definitions: [definition], log, basePath: "/api", insecure: true });
  const listener = getRequestListener((request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/")) return server.fetch(request);
    const [body, type] = pathname === "/page.js" ? [readFileSync(script), "text/javascript"] : [HTML, "text/html"];
    return new Response(body, { headers: { "content-type": type } });
  });
  const http = createHttpServer((request, response) => void listener(request, response));
  http.listen(Number(port), "127.0.0.1", () =>
    process.send?.(`http://127.0.0.1:${(http.address() as AddressInfo).port}`),
  );
}
