// Members that may be absent are written with `defined()` of @opstate/core. On hot paths, and in
// code whose bytes a page loads, they are spread by hand. So they are in two layers that import no
// package.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sources = execFileSync("git", ["ls-files", "packages/*/src/**", "apps/*/src/**"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => /\.(ts|tsx|svelte)$/.test(file));

const BY_HAND: Readonly<Record<string, string>> = {
  "packages/ag-ui/src/fold/": "runs for each event of a stream, and is in pages",
  "packages/ag-ui/src/stages/": "runs for each event of a stream, and is in pages",
  "packages/client/src/": "is in pages",
  "packages/conformance/src/command-line.ts": "is a layer that imports no package (tools/checks/layers.ts)",
  "packages/core/src/engine/": "runs for each operation",
  "packages/core/src/thread/authority/": "runs for each submission",
  "packages/core/src/thread/log/": "runs for each entry that is appended or read",
  "packages/core/src/thread/origin.ts": "runs for each commit",
  "packages/core/src/thread/proposal/proposed-change.ts": "runs for each value that a proposal reads",
  "packages/streams/src/sql/": "runs for each row, in a layer that imports no package (tools/checks/layers.ts)",
};

/** Spreads of a member that is tested for being there: `...(name !== undefined && { name })`. */
const SPREAD =
  /\.\.\.\((?<tested>[A-Za-z_][\w.?]*) (?:!== undefined &&|=== undefined \? \{\} :|&&) \{ (?:[^\s:{}]+: )?(?<value>[A-Za-z_][\w.?]*) \}\)/g;
/** Of a flag: it is left out when it is false. */
const FLAGS = new Set(["transient"]);

function spreads(code: string): readonly string[] {
  return [...code.matchAll(SPREAD)]
    .filter(({ groups }) => groups?.["tested"]?.replaceAll("?", "") === groups?.["value"]?.replaceAll("?", ""))
    .filter(({ groups }) => !FLAGS.has(groups?.["value"] ?? ""))
    .map(([found]) => found);
}

const placeOf = (file: string) => Object.keys(BY_HAND).find((place) => file.startsWith(place));
const found = sources.flatMap((file) =>
  spreads(readFileSync(`${root}/${file}`, "utf8")).map((spread) => ({ file, spread })),
);

it("outside of hot paths and pages no optional member is spread by hand", () => {
  expect(found.filter(({ file }) => placeOf(file) === undefined)).toEqual([]);
});

it.each(Object.keys(BY_HAND))("%s is listed because it has such spreads", (place) =>
  expect(found.some(({ file }) => placeOf(file) === place)).toBe(true),
);

it.each([
  "{ ...(name !== undefined && { name }) }",
  "{ ...(name === undefined ? {} : { name }) }",
  "{ ...(source && { source }) }",
  "{ ...(request.text !== undefined && { body: request.text }) }",
])("a planted one is seen: %s", (code) => expect(spreads(code)).toHaveLength(1));
