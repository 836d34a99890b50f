import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sources = execFileSync("git", ["ls-files", "packages/*/src/**", "apps/*/src/**", "tools/*"], {
  cwd: root,
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => /\.(ts|tsx|svelte|mjs)$/.test(file) && !file.startsWith("tools/test/"))
  .map((file) => ({ file, lines: readFileSync(`${root}/${file}`, "utf8").trimEnd().split("\n") }));

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
  const counts = new Map<string, number>();
  for (const { file } of sources) {
    const folder = file.slice(0, file.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([folder, count]) => count > 20 && folder !== "tools")).toEqual([]);
});
