// The built pages of the board, and what the demo's own program tells them beside threads: which
// model the agent has, and with which models a person may use a key.

import { fileURLToPath } from "node:url";
import { type HttpServer, listen } from "@opstate/server";
import { DEMO_THREAD } from "../../../kanban-server/src/access.ts";
import { createProviders } from "../../../kanban-server/src/providers.ts";
import { createSite } from "../../../kanban-server/src/site.ts";

const APPS = ["react", "svelte"] as const;

const INFO = { model: { name: "offline", offline: true }, threadId: DEMO_THREAD };

/** `provider`: the address of one more provider of models. */
export function servePages(provider: string | undefined): Promise<HttpServer> {
  const providers = createProviders({ own: provider });
  const sites = new Map(
    APPS.map((app) => {
      const folder = fileURLToPath(new URL(`../../../kanban-${app}/dist`, import.meta.url));
      return [`/${app}/`, createSite(folder, providers.origins)];
    }),
  );
  return listen(
    async (request) => {
      const url = new URL(request.url);
      if (url.pathname === "/api/info") return Response.json(INFO);
      if (url.pathname === "/api/providers") return Response.json(await providers.list());
      for (const [prefix, site] of sites) {
        if (!url.pathname.startsWith(prefix)) continue;
        url.pathname = url.pathname.slice(prefix.length - 1);
        return site(new Request(url, request));
      }
      return new Response("There is no such page.", { status: 404 });
    },
    { port: 0 },
  );
}
