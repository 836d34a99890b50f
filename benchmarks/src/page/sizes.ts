// What an import adds to a bundle: minified, tree-shaken and gzipped, as `size-limit` has it.

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundler, firstAlone, root } from "../harness/bundler.ts";
import type { Table } from "../harness/results.ts";

export const SIZE = "Minified and gzipped";
export const WITHOUT_ZOD = "zod left out";
const WITH_ZOD = "with zod";
export const CLASSIC = "of that, zod classic";

interface Import {
  readonly code: string;
  readonly from?: string;
  readonly external?: readonly string[];
  /** With the condition `opstate-page`, and without what is loaded when it is used. */
  readonly isPage?: true;
}

export const PAGE_ROW = {
  define: "for a page: defineState",
  replica: "for a page: defineState, createReplica",
  guide: "for a page: defineState, createClient, createAgentStateContext (react left out)",
} as const;

/** Imports by row; the folder is where a package's own dependencies are found from. */
const imports: Readonly<Record<string, Import>> = {
  "@opstate/core: defineState": { code: `export { defineState } from "@opstate/core"` },
  "@opstate/core: defineState, createReplica": { code: `export { defineState, createReplica } from "@opstate/core"` },
  "@opstate/core: defineState, openThread, memoryLog": {
    code: `export { defineState, openThread, memoryLog } from "@opstate/core"`,
  },
  [PAGE_ROW.define]: { code: `export { defineState } from "@opstate/core"`, isPage: true },
  [PAGE_ROW.replica]: { code: `export { defineState, createReplica } from "@opstate/core"`, isPage: true },
  [PAGE_ROW.guide]: {
    code: `export { defineState } from "@opstate/core"; export { createClient } from "@opstate/client"; export { createAgentStateContext } from "@opstate/react"`,
    external: ["react", "react/*"],
    isPage: true,
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
  for (const [name, each] of Object.entries(imports)) {
    const bare = await bundle(each, ["zod", "zod/*"]);
    const full = await bundle(each, []);
    without[name] = bare.gzipped;
    // Nothing to tell where zod is not imported at all.
    if (full.zod > 0) [withZod[name], classic[name]] = [full.gzipped, full.classic];
  }
  delete without["zod: z"];
  return [{ title: SIZE, unit: "bytes", columns: { [WITHOUT_ZOD]: without, [WITH_ZOD]: withZod, [CLASSIC]: classic } }];
}

async function bundle({ code, from = "benchmarks", external = [], isPage }: Import, left: readonly string[]) {
  const resolveDir = fileURLToPath(new URL(from, root));
  const { outputFiles, metafile } = await bundler.build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
    external: [...external, ...left],
    ...(isPage && { conditions: ["opstate-page"], plugins: [firstAlone] }),
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
