// How size-limit bundles the page's build: its configuration in JSON has no conditions.

import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A bundle of one entry beside this file; zod is the page's own. */
export function pageBundle(entry) {
  return {
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    outdir: join(tmpdir(), `opstate-page-size-${process.pid}`, entry),
    bundle: true,
    minify: true,
    format: "esm",
    conditions: ["opstate-page"],
    external: ["zod", "zod/*"],
  };
}
