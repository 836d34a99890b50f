// A module's constants (numbers, texts, lists, patterns, coders) are in capitals: CONTRIBUTING.md.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PLACES = ["packages/*/src/**", "apps/*/src/**", "benchmarks/src/**", "tools/checks/**"];
const sources = execFileSync("git", ["ls-files", ...PLACES], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => /\.(ts|tsx|svelte)$/.test(file));

/** A number, a text, a pattern, a list with items or a coder, alone: what is computed is none. */
const CONSTANT =
  /^(?:export )?const ([a-z]\w*)(?:: [^=]+)? = (?:-?[\d_.]+;|"[^"]*";|`[^`$]*`;|\/.+\/[a-z]*;|\[(?!\];)(?!.*\]\.)|new Text)/gm;

const constants = (code: string) => [...code.matchAll(CONSTANT)].map(([, name]) => name);

it("no constant of a module is in camel case", () => {
  expect(sources.length).toBeGreaterThan(1_000);
  const found = sources.flatMap((file) =>
    constants(readFileSync(`${root}/${file}`, "utf8")).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

it.each([
  'export const at = "2026-01-01";',
  "const limit = 8;",
  "const pattern = /^a/u;",
  "const kinds: readonly string[] = [",
  "const decoder = new TextDecoder();",
])("one is seen: %s", (code) => expect(constants(code)).toHaveLength(1));

it.each(['const name = read("a");', "const faults: string[] = [];", "  const limit = 8;"])("none is: %s", (code) =>
  expect(constants(code)).toEqual([]),
);
