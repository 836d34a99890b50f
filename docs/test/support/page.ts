// A guide's page, served as its reader serves it: `npx vite`, with the guide's own configuration.

import { join } from "node:path";
import { createServer } from "vite";
import { freePort } from "../../../tools/free-port.ts";

export interface ServedPage {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a guide's folder. What differs from `npx vite` there: the port, and that this workspace's
 * packages come as sources.
 */
export async function servePage(folder: string, port?: number): Promise<ServedPage> {
  const vite = await createServer({
    root: folder,
    configFile: join(folder, "vite.config.ts"),
    cacheDir: join(folder, ".vite"),
    logLevel: "warn",
    resolve: { conditions: ["@opstate/source", "module", "browser", "development|production"] },
    server: { port: port ?? (await freePort()), strictPort: true },
  });
  await vite.listen();
  const [url] = vite.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error("Vite gave no address.");
  return { url, close: () => vite.close() };
}
