// Every path and link that the pages name is there.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
const pages = files.filter((file) => file.endsWith(".md") && !/^\.changeset\/|\/CHANGELOG\.md$|\/test\//.test(file));
const read = (page: string) => readFileSync(join(root, page), "utf8");

/** Every end of a path that a page may name it by: "a/b/c.ts", "b/c.ts", "c.ts", and folders. */
const known = new Set<string>();
for (const file of files)
  for (let path = file; path !== "."; path = dirname(path))
    for (let end = path; ; end = end.slice(end.indexOf("/") + 1)) {
      known.add(end);
      if (!end.includes("/")) break;
    }

/** Files of sources, and folders that begin at the root. A package's or route's name is none. */
const PATH =
  /^(?:[\w.-]+\/)*[\w.-]+\.(?:ts|tsx|mts|mjs|svelte|py)$|^(?:apps|benchmarks|clients|docs|examples|frameworks|packages|tools)(?:\/[\w.-]+)+\/?$/;
const ON_GITHUB = "https://github.com/opstate/opstate/blob/main/";

function missing(page: string, text: string): readonly string[] {
  const prose = text.replaceAll(/^ *```[^]*?^ *```/gm, "");
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
  // A guide names files of its reader's, without a folder.
  const isGuide = page.startsWith("docs/");
  const paths = spans
    .filter((span) => PATH.test(span) && !(isGuide && !span.includes("/")))
    .filter((span) => !known.has(span.replace(/\/$/, "")));
  const links = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = ""]) => link);
  return [...paths, ...links.filter((link) => !leadsSomewhere(page, link))].map((path) => `${page}: ${path}`);
}

function leadsSomewhere(page: string, link: string): boolean {
  const isOurs = link.startsWith(ON_GITHUB);
  if (/^[a-z]+:/.test(link) && !isOurs) return true;
  const [path = "", anchor] = (isOurs ? link.slice(ON_GITHUB.length) : link).split("#");
  const target = path === "" ? page : isOurs ? path : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith(".md") || anchors(read(target)).has(anchor);
}

/** The headings of a page, as GitHub names them, and what has an id. */
function anchors(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading.toLowerCase());
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
  return new Set([...ids, ...headings.map((heading) => heading.replaceAll(/[^\w\s-]/g, "").replaceAll(" ", "-"))]);
}

it("every path and link of a page is there", () => {
  expect(pages.length).toBeGreaterThan(80);
  expect(pages.flatMap((page) => missing(page, read(page)))).toEqual([]);
});

it.each(["`core/src/nowhere.ts`", "`packages/core/nowhere/`", "[a](docs/nowhere.md)", "[a](CONTRIBUTING.md#nowhere)"])(
  "one that is not there is seen: %s",
  (text) => expect(missing("README.md", text)).toHaveLength(1),
);
