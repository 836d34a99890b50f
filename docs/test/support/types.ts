// What TypeScript says of the code of guides, under the strict options of this workspace.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/**
 * Checks all .ts and .tsx files in a folder, of one guide or of several: "" when they are right,
 * else the compiler's words.
 */
export function typeErrors(folder: string): string {
  return check(folder, "docs/node_modules/.bin/tsc", ["-p", "tsconfig.json"]);
}

/**
 * The same, with .svelte files. The checker is the Svelte board's: it needs a TypeScript of its
 * own.
 */
export function svelteErrors(folder: string): string {
  return check(folder, "apps/kanban-svelte/node_modules/.bin/svelte-check", [
    "--tsconfig",
    "./tsconfig.json",
    "--output",
    "human",
  ]);
}

function check(folder: string, command: string, options: readonly string[]): string {
  const configuration = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      // The packages' built types, as a user's compiler reads them.
      customConditions: [],
      noEmit: true,
      declaration: false,
      declarationMap: false,
      lib: ["ES2023", "DOM", "DOM.Iterable"],
      module: "ESNext",
      moduleResolution: "bundler",
      jsx: "react-jsx",
      types: ["node"],
    },
    include: ["**/*.ts", "**/*.tsx", "**/*.svelte"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration));
  const { status, stdout, stderr, error } = spawnSync(join(root, command), options, { cwd: folder, encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}${error?.message ?? ""}`;
}
