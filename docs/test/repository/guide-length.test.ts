// How much a reader of "A board in ten minutes" writes: the lines of its files, without empty ones
// and comments; of what changes in a file, the new lines.

import { expect, it } from "vitest";
import { guideBlocks } from "../support/guide.ts";

it.each([
  ["board-in-react", 130],
  ["board-in-svelte", 118],
])("%s has fewer than %i lines of code", (name, most) => {
  const lines = guideBlocks(name).flatMap(({ kind, text }) => {
    const written = text.split("\n").filter((line) => /\S/.test(line));
    return kind === "diff" ? written.filter((line) => line.startsWith("+")) : written;
  });
  expect(lines.filter((line) => !/^\s*\/\//.test(line)).length).toBeLessThan(most);
});
