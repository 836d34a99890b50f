// The README compares: each cell of that table is backed by a link, or is a dash. What it links to
// in this repository exists.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const section = readFileSync(`${root}README.md`, "utf8")
  .split(/^## /m)
  .find((text) => text.startsWith("Compared"));
const rows = (section ?? "")
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(2)
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

it.each(rows)("%s: each cell has a link or is a dash", (_, ...cells) => {
  expect(cells).toHaveLength(4);
  for (const cell of cells) expect(cell).toMatch(/\]\((https:\/\/[^)]+|[^):]+)\)|^–$/);
});

it("the first row links to files of this repository", () => {
  const links = [...(rows[0]?.join(" ") ?? "").matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  expect(links).toHaveLength(4);
  expect(links.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
});
