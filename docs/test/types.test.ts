// What TypeScript says of the code of all guides: one compiler reads it all, since most of its time
// goes into the packages' own types. Guides with Svelte's files are checked beside their tests.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LAST_SECTION } from "./support/board-guide.ts";
import { guideFiles, writeGuide } from "./support/guide.ts";
import { typeErrors } from "./support/types.ts";

/** Their packages are installed, or given types, where they are tested. */
const APART = new Set(["langgraph-server", "mount-the-server", "next-with-a-server-component", "react-router"]);

const guides = readdirSync(join(import.meta.dirname, ".."))
  .flatMap((file) => (file.endsWith(".md") ? [file.slice(0, -".md".length)] : []))
  .filter((name) => {
    const files = Object.keys(guideFiles(name));
    return files.some((file) => /\.tsx?$/.test(file)) && !files.some((file) => file.endsWith(".svelte"));
  });

const folder = join(import.meta.dirname, ".examples/types");
rmSync(folder, { recursive: true, force: true });
const checked = guides.filter((name) => !APART.has(name));
for (const name of checked) writeGuide(name, { folder: `types/${name}` });
const unfinished = "board-in-react-before-its-last-section";
writeGuide("board-in-react", { folder: `types/${unfinished}`, until: LAST_SECTION });

const errors = typeErrors(folder).split("\n");

describe("the code of a guide is right to the compiler", () => {
  it.each([...checked, unfinished])("%s", (name) => {
    expect(errors.filter((line) => line.startsWith(`${name}/`))).toEqual([]);
  });

  it("and nothing else is said", () => expect(errors).toEqual([""]));
});
