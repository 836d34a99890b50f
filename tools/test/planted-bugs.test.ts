// What a bug is planted in is there once, and the test that must find it exists. That it finds it,
// `tools/long/planted-bugs.ts` shows.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { BUGS } from "../long/bugs.ts";

const core = fileURLToPath(new URL("../../packages/core/", import.meta.url));

it.each(Object.entries(BUGS))("%s", (_, { file, right, test }) => {
  expect(readFileSync(core + file, "utf8").split(right)).toHaveLength(2);
  expect(existsSync(core + test)).toBe(true);
});
