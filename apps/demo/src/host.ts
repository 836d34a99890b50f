// All demos behind one address: each page under its own prefix, the start page at the root, and the
// kanban app's API where it always is.
//
// Invariants: it answers to this machine's own names only, so that no page on the web reaches it
// through a name that points here; every page has the same policy, but for what its part says: the
// inspector may connect to agents anywhere, and one page frames the two boards.

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
  /** What lives below a prefix: "react" below /react/. */
  readonly parts: Readonly<Record<string, Part>>;
}

export function createHost({ kanban, parts }: HostOptions): Part {
  const app = new Hono<{ Bindings: { connection: Connection | undefined } }>();
  app.use(async (context, next) => {
    const host = nonLoopbackHost(context.req.raw);
    if (host === undefined) return next();
    return context.text(`The demo answers on this machine only, not as "${host.slice(0, 100)}".`, 403);
  });
  for (const [prefix, part] of Object.entries(parts)) {
    // Without its slash the page's own addresses, which are relative, would point beside it.
    app.get(`/${prefix}`, ({ req, redirect }) => redirect(`/${prefix}/${new URL(req.url).search}`));
    app.mount(`/${prefix}`, (request: Request) => part.fetch(request));
  }
  app.all("*", ({ req, env }) => kanban.fetch(req.raw, env.connection));
  return { fetch: async (request, connection) => app.fetch(request, { connection }) };
}

/** A built page. `policy` says where its content security policy differs, by directive. */
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
