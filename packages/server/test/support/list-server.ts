// A server in a process of its own with the list of the tests of callbacks, and its page. Tests
// kill it.

import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createServer } from "../../src/index.ts";
import { list } from "../client/callbacks/list.ts";
import { openStore, type Store } from "./store.ts";

const [store = "", script = "", port = "0"] = process.argv.slice(2);
const log = openStore(JSON.parse(store) as Store);
const server = createServer({ definitions: [list], log, basePath: "/api", insecure: true });
const html = '<!doctype html><title>list</title><script type="module" src="/page.js"></script>';
const listener = getRequestListener((request) => {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/api/")) return server.fetch(request);
  const [body, type] = pathname === "/page.js" ? [readFileSync(script), "text/javascript"] : [html, "text/html"];
  return new Response(body, { headers: { "content-type": type } });
});
const http = createHttpServer((request, response) => void listener(request, response));
http.listen(Number(port), "127.0.0.1", () =>
  process.send?.(`http://127.0.0.1:${(http.address() as AddressInfo).port}`),
);
