// Svelte's compiler as a plugin of the bundler: components, and modules with runes.

import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { compile, compileModule } from "svelte/compiler";
import type { Plugin } from "../../harness/bundler.ts";

export const svelteCompiler: Plugin = {
  name: "svelte",
  setup(build) {
    build.onLoad({ filter: /\.svelte$/ }, ({ path: filename }) => ({
      contents: compile(readFileSync(filename, "utf8"), { filename, generate: "client", dev: false }).js.code,
    }));
    build.onLoad({ filter: /\.svelte\.[jt]s$/ }, ({ path: filename }) => {
      const source = readFileSync(filename, "utf8");
      const code = filename.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
      return { contents: compileModule(code, { filename, generate: "client", dev: false }).js.code };
    });
  },
};
