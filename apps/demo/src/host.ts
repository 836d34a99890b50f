// All demos behind one address: each page under its own prefix, the start page and the board's API
// at the root.
//
// Invariants:
// - It answers only to this machine's own host names, so no page on the web can reach it by a name
//   that points to this machine (DNS rebinding).
// - A browser that goes to an address where there is no page gets the 404 page, with that status.
// - All pages have the same content security policy, with two exceptions: the inspector may connect
//   anywhere, and one page may frame the two boards.

import { type Connection, nonLoopbackHost } from "@opstate/server";
import { Hono } from "hono";
import { createSite } from "@opstate/kanban-server";

/** A part of the demo that answers requests whose paths begin at "/". */
export interface Part {
  fetch(request: Request, connection?: Connection): Promise<Response>;
}

export interface HostOptions {
  /** Its routes are /threads, /ag-ui and /api; the start page is its site. */
  readonly kanban: Part;
  /** The parts by prefix: "react" is below /react/. */
  readonly parts: Readonly<Record<string, Part>>;
  /** The page for addresses without one. */
  readonly notFound: Part;
}

export function createHost({ kanban, parts, notFound }: HostOptions): Part {
  const app = new Hono<{ Bindings: { connection: Connection | undefined } }>();
  app.use(async (context, next) => {
    const host = nonLoopbackHost(context.req.raw);
    if (host === undefined) return next();
    return context.text(`The demo answers on this machine only, not as "${host.slice(0, 100)}".`, 403);
  });
  app.use(async (context, next) => {
    await next();
    const { method, headers, url } = context.req.raw;
    const isVisit = method === "GET" && (headers.get("accept") ?? "").includes("text/html");
    if (context.res.status !== 404 || !isVisit) return;
    const { body, headers: pageHeaders } = await notFound.fetch(new Request(url, { headers }));
    context.res = new Response(body, { status: 404, headers: pageHeaders });
  });
  for (const [prefix, part] of Object.entries(parts)) {
    // Without the slash the page's relative addresses would be wrong.
    app.get(`/${prefix}`, ({ req, redirect }) => redirect(`/${prefix}/${new URL(req.url).search}`));
    app.mount(`/${prefix}`, (request: Request) => part.fetch(request));
  }
  app.all("*", ({ req, env }) => kanban.fetch(req.raw, env.connection));
  return { fetch: async (request, connection) => app.fetch(request, { connection }) };
}

/** One file of a built page, at every address. */
export function fileAt(folder: string, name: string): Part {
  const site = createSite(folder);
  return { fetch: ({ url, headers }) => site(new Request(new URL(`/${name}`, url), { headers })) };
}

/** A built page. `policy` replaces directives of its content security policy. */
export function page(folder: string, policy: Readonly<Record<string, string>> = {}): Part {
  const site = createSite(folder);
  return {
    async fetch(request) {
      const response = await site(request);
      const directives = new Map(Object.entries(policy));
      for (const directive of (response.headers.get("content-security-policy") ?? "").split("; ")) {
        const [name = "", ...sources] = directive.split(" ");
        if (!directives.has(name)) directives.set(name, sources.join(" "));
      }
      response.headers.set(
        "content-security-policy",
        [...directives].map(([name, sources]) => `${name} ${sources}`).join("; "),
      );
      return response;
    },
  };
}
