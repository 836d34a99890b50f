// What an import adds to a bundle: minified, tree-shaken and gzipped, as `size-limit` has it.

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundler, root } from "./bundler.ts";
import type { Table } from "./results.ts";

export const SIZE = "Minified and gzipped";
export const WITHOUT_ZOD = "zod left out";
const WITH_ZOD = "with zod";
export const CLASSIC = "of that, zod classic";

/** Imports by row; the folder is where a package's own dependencies are found from. */
const imports: Readonly<
  Record<string, { readonly code: string; readonly from?: string; readonly external?: readonly string[] }>
> = {
  "@opstate/core: defineState": { code: `export { defineState } from "@opstate/core"` },
  "@opstate/core: defineState, createReplica": { code: `export { defineState, createReplica } from "@opstate/core"` },
  "@opstate/core: defineState, openThread, memoryLog": {
    code: `export { defineState, openThread, memoryLog } from "@opstate/core"`,
  },
  "@opstate/core/tools: toolsOf": { code: `export { toolsOf } from "@opstate/core/tools"` },
  "@opstate/core/json-patch: applyPatch, diff": { code: `export { applyPatch, diff } from "@opstate/core/json-patch"` },
  "@opstate/react: useAgentState (react, core left out)": {
    code: `export { useAgentState } from "./packages/react/dist/index.js"`,
    from: ".",
    external: ["react", "@opstate/core"],
  },
  "immer: produce": { code: `export { produce } from "immer"` },
  "immer: produceWithPatches, applyPatches": {
    code: `export { produceWithPatches, enablePatches, applyPatches } from "immer"`,
  },
  "mutative: create, apply": { code: `export { create, apply } from "mutative"` },
  "fast-json-patch: applyPatch, compare": { code: `export { applyPatch, compare } from "fast-json-patch"` },
  "immutable-json-patch: immutableJSONPatch": { code: `export { immutableJSONPatch } from "immutable-json-patch"` },
  "rfc6902: applyPatch, createPatch": { code: `export { applyPatch, createPatch } from "rfc6902"` },
  "@reduxjs/toolkit: createSlice": { code: `export { createSlice } from "@reduxjs/toolkit"` },
  "zod: z": { code: `export { z } from "zod"` },
};

export async function sizeTables(): Promise<readonly Table[]> {
  const without: Record<string, number> = {};
  const withZod: Record<string, number> = {};
  const classic: Record<string, number> = {};
  for (const [name, { code, from = "benchmarks", external = [] }] of Object.entries(imports)) {
    const resolveDir = fileURLToPath(new URL(from, root));
    const bare = await bundle(code, resolveDir, [...external, "zod", "zod/*"]);
    const full = await bundle(code, resolveDir, external);
    without[name] = bare.gzipped;
    // Nothing to tell where zod is not imported at all.
    if (full.zod > 0) [withZod[name], classic[name]] = [full.gzipped, full.classic];
  }
  delete without["zod: z"];
  return [{ title: SIZE, unit: "bytes", columns: { [WITHOUT_ZOD]: without, [WITH_ZOD]: withZod, [CLASSIC]: classic } }];
}

async function bundle(code: string, resolveDir: string, external: readonly string[]) {
  const { outputFiles, metafile } = await bundler.build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
    external,
    define: { "process.env.NODE_ENV": `"production"` },
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const bytesOf = (folder: string) =>
    inputs.reduce((sum, [path, { bytesInOutput }]) => (path.includes(folder) ? sum + bytesInOutput : sum), 0);
  return {
    gzipped: gzipSync(outputFiles[0]?.contents ?? "").length,
    zod: bytesOf("/zod/"),
    classic: bytesOf("/zod/v4/classic/"),
  };
}
