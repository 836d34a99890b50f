import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
const page = readFileSync(`${root}/ARCHITECTURE.md`, "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| `"));

/** Every folder that has files of `src` in a package or an app. */
const folders = [...new Set(files.filter((file) => /^(packages|apps)\/[^/]+\/src\//.test(file)).map(dirname))];

/** Whether a row of a table names it: a folder of a package in full, one of an app in its app's row. */
function isNamed(folder: string): boolean {
  const [, app, inner] = /^(apps\/[^/]+)\/src(?:\/(.*))?$/.exec(folder) ?? [];
  if (app === undefined) return rows.some((row) => names(row, folder.slice("packages/".length)));
  return rows.some((row) => row.startsWith(`| \`${app}\``) && (inner === undefined || row.includes(`\`${inner}/\``)));
}

/** A layer may be named by its first file. */
function names(row: string, folder: string): boolean {
  return [...row.matchAll(/`([^`]+)`/g)].some(
    ([, name = ""]) => name === folder || (dirname(name) === folder && /\.\w+$/.test(name)),
  );
}

it("every folder of sources is named in ARCHITECTURE.md", () => {
  expect(folders.length).toBeGreaterThan(100);
  expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
});

it("every folder at the root is named in ARCHITECTURE.md", () => {
  const atRoot = new Set(files.filter((file) => /^[^./][^/]*\//.test(file)).map((file) => file.split("/")[0]));
  expect([...atRoot].filter((folder) => !page.includes(`\`${folder}/`))).toEqual([]);
});

it.each(["benchmarks/src", "clients", "docs", "frameworks", "tools"])("every folder of %s is named there", (place) => {
  const row = rows.find((line) => line.startsWith(`| \`${place.split("/")[0]}/\``)) ?? "";
  const inPlace = files.filter((file) => file.startsWith(`${place}/`)).map((file) => file.slice(place.length + 1));
  const there = new Set(inPlace.flatMap((path) => (path.includes("/") ? [path.slice(0, path.indexOf("/"))] : [])));
  expect(there.size).toBeGreaterThan(0);
  expect([...there].filter((folder) => !row.includes(`\`${folder}/\``))).toEqual([]);
});

it.each(["packages/core/src/thread/logs", "apps/kanban-page/src/nowhere", "apps/no-app/src"])(
  "a folder that no row names is seen: %s",
  (folder) => expect(isNamed(folder)).toBe(false),
);

// The row of CONTRIBUTING.md that people need most often.
it("the file that CONTRIBUTING.md names for a route's line has the routes", () => {
  const guide = readFileSync(`${root}/CONTRIBUTING.md`, "utf8");
  const named = [
    /^\| Which file to touch to add a route\?.*its line in `([^`]+)`/m.exec(guide)?.[1],
    /^\*\*Add a route\.\*\*[^]*?its line in\s+`packages\/([^`]+)`/m.exec(guide)?.[1],
  ];
  expect(named).toEqual([expect.any(String), named[0]]);
  expect(readFileSync(`${root}/packages/${named[0]}`, "utf8")).toMatch(/^ {2}\w+Routes\(app\b/m);
});
