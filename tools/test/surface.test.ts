// What users see first: the names of core's root, and examples.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(`${root}/${file}`, "utf8");

it("the root of core has at most 60 names", () => {
  const lists = [...read("packages/core/src/index.ts").matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
  const names = lists.flatMap(([, list = ""]) => list.split(",").filter((name) => name.trim() !== ""));
  expect(names.length).toBeGreaterThan(40);
  expect(names.length).toBeLessThanOrEqual(60);
});

it("no example has a needless `void (...)`", () => {
  const files = execFileSync("git", ["ls-files", "packages/*/src/**", "*.md"], { cwd: root, encoding: "utf8" });
  const found = files
    .trim()
    .split("\n")
    .filter((file) => /\.(ts|tsx|md)$/.test(file) && !file.startsWith(".changeset/"))
    .flatMap((file) => {
      const lines = read(file).split("\n");
      const examples = file.endsWith(".md") ? lines : lines.filter((line) => /^\s*\*/.test(line));
      return examples.filter((line) => /=> void \(/.test(line)).map((line) => `${file}: ${line.trim()}`);
    });
  expect(found).toEqual([]);
});
