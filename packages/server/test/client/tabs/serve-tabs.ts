// A real server, the page of the tests on the same origin over HTTP/1.1, and a browser with tabs.

import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { type HistoryEntry, memoryLog } from "@opstate/core";
import { type Browser, chromium, type Page } from "playwright";
import { launchOptions } from "../../../../../tools/browser.mjs";
import { tally } from "../../../../client/test/tally.ts";
import { createServer } from "../../../src/index.ts";
import { bundlePage } from "../../support/pages/bundle-page.ts";
import type { TestedPage } from "./page.ts";

declare global {
  var page: TestedPage;
}

export interface Tabs {
  /** Streams that are open now, as the server sees them. */
  streams(): number;
  names(thread: string): Promise<readonly string[]>;
  /** `as`: undefined for whoever is signed in. `query`: what else the page reads. */
  open(options?: {
    readonly as?: string | undefined;
    readonly threads?: readonly string[];
    readonly query?: string;
  }): Promise<Page>;
  /** By the cookie of all tabs. */
  signIn(person: string): Promise<void>;
  /** Nobody but the test may see a thread any more. */
  forbid(thread: string): void;
  remove(thread: string): Promise<void>;
  /** Who made the edits of a thread. */
  authors(thread: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface TabBrowser {
  /** A server with threads of these ids, and tabs that have nothing of earlier ones. */
  serve(threads: readonly string[]): Promise<Tabs>;
  close(): Promise<void>;
}

/** For one test after the other: to bundle the page and to launch the browser takes seconds. */
export async function launchTabBrowser(): Promise<TabBrowser> {
  const script = await bundlePage(join(import.meta.dirname, "page.ts"));
  const browser = await chromium.launch(launchOptions());
  return { serve: (threads) => serveTabs(threads, browser, script), close: () => browser.close() };
}

async function serveTabs(threads: readonly string[], browser: Browser, script: string): Promise<Tabs> {
  const forbidden = new Set<string>();
  const server = createServer({
    definitions: [tally],
    log: memoryLog(),
    basePath: "/api",
    authorize(request) {
      const cookie = /person=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? "";
      const [kind = "", id = ""] = (request.headers.get("authorization") ?? `user ${cookie}`).split(" ");
      const allows = (thread: string) => kind === "system" || !forbidden.has(thread);
      return id === "" ? null : { actor: { kind, id }, allows };
    },
  });
  const listener = getRequestListener((request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/")) return server.fetch(request);
    const type = pathname === "/page.js" ? "text/javascript" : "text/html";
    const html = `<!doctype html><title>tab</title><script type="module" src="/page.js"></script>`;
    return new Response(pathname === "/page.js" ? script : html, { headers: { "content-type": type } });
  });
  let streams = 0;
  const http = createHttpServer((request, response) => {
    if (request.method === "POST" && request.url === "/api/events") {
      streams += 1;
      response.once("close", () => (streams -= 1));
    }
    if (request.url === "/endless") {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("…");
    } else void listener(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const ask = (path: string, method: string, body?: object) =>
    server.fetch(
      new Request(`${url}/api${path}`, {
        method,
        headers: { authorization: "system test", "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  for (const id of threads) await ask(`/threads/${id}`, "PUT", { definition: "tally" });
  const context = await browser.newContext();
  return {
    streams: () => streams,
    async names(thread) {
      const { state } = (await (await ask(`/threads/${thread}`, "GET")).json()) as { state: { names: string[] } };
      return state.names;
    },
    async open({ threads: ids = threads, query = "", ...options } = {}) {
      const page = await context.newPage();
      const as = "as" in options ? options.as : "ada";
      await page.goto(`${url}/?threads=${ids.join()}&${as === undefined ? "" : `as=${as}`}&${query}`);
      return page;
    },
    signIn: (person) => context.addCookies([{ name: "person", value: person, url }]),
    forbid: (thread) => void forbidden.add(thread),
    remove: async (thread) => void (await ask(`/threads/${thread}`, "DELETE")),
    async authors(thread) {
      const entries = (await (await ask(`/threads/${thread}/history`, "GET")).json()) as readonly HistoryEntry[];
      return entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit.actor.id] : []));
    },
    async close() {
      await context.close();
      await server.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
