import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const filesOf = (...places: readonly string[]) =>
  execFileSync("git", ["ls-files", ...places], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n")
    .filter((file) => /\.(ts|tsx|svelte|mjs)$/.test(file));

const sources = filesOf("packages/*/src/**", "apps/*/src/**", "tools/*")
  .filter((file) => !file.startsWith("tools/test/"))
  .map((file) => ({ file, lines: readFileSync(`${root}/${file}`, "utf8").trimEnd().split("\n") }));
const tests = filesOf(
  "packages/*/test/**",
  "apps/*/test/**",
  "apps/*/e2e/**",
  "clients/*/test/**",
  "docs/test/**",
  "tools/test/**",
);

/** The folders that hold more than 20 of these files. */
function crowded(files: readonly string[]): [folder: string, count: number][] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 20);
}

const header = (lines: readonly string[]) =>
  lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith("//")),
    )
    .join("\n");

it("a source file of more than 250 lines says in its header why it is long", () => {
  const long = sources.filter(({ lines }) => lines.length > 250);
  expect(long.length).toBeGreaterThan(10);
  expect(long.filter(({ lines }) => !/\bLong because\b/.test(header(lines))).map(({ file }) => file)).toEqual([]);
});

it("a folder of sources has no more than 20 files", () => {
  const files = sources.map(({ file }) => file);
  expect(crowded(files)).toEqual([]);
});

it("a folder of tests has no more than 20 modules", () => {
  expect(tests.length).toBeGreaterThan(500);
  expect(crowded(tests)).toEqual([]);
});
