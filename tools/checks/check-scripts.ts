// How many bytes of script a page's HTML requests: its entry and all that this imports, gzipped one
// by one, as they are sent. What is imported when it is used is no part of it. Needs the builds.
//
//   node tools/checks/check-scripts.ts    names the pages that are over their limit

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** In KB of 1,000 bytes. A limit goes down only. */
const LIMITS: Readonly<Record<string, number>> = {
  "apps/kanban-react/dist/index.html": 130,
  "apps/kanban-svelte/dist/index.html": 87,
  "apps/demo/dist/index.html": 138,
};

/** The paths of the scripts that a page requests before any of them has run. */
export const scriptsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<(?:script[^>]* src|link rel="modulepreload"[^>]* href)="([^"]+)"/g)].flatMap(
    ([, path]) => path ?? [],
  );

/** In KB. `page`: its path. */
export function scriptSize(page: string): number {
  const bytes = scriptsOf(readFileSync(page, "utf8")).map(
    (path) => gzipSync(readFileSync(join(dirname(page), path))).length,
  );
  return bytes.reduce((sum, size) => sum + size, 0) / 1000;
}

function main(): number {
  process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
  const sizes = Object.entries(LIMITS).map(([page, limit]) => ({ page, limit, size: scriptSize(page) }));
  for (const { page, limit, size } of sizes) console.log(`${page}: ${size.toFixed(1)} KB, at most ${limit}`);
  return sizes.every(({ limit, size }) => size <= limit) ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
