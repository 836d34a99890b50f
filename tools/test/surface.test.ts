// What users see first: the names of core's root.

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
