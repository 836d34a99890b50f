// One version of Node is said everywhere: README.md says it and why, the rest links there. A clone
// needs less, because its own Node comes as a dependency. CONTRIBUTING.md says that.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const VERSION = "22.18";
const CLONE_VERSION = "20.19";
const PAGES_ABOUT_CLONES = ["README.md", "CONTRIBUTING.md", "docs/before-the-first-release.md"];
const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");
const packages = readdirSync(`${root}packages`).filter((name) => existsSync(`${root}packages/${name}/package.json`));
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  ...packages.map((name) => `packages/${name}/README.md`),
];

describe("the version of Node", () => {
  it.each(packages)("is what %s requires in its engines", (name) => {
    const { engines } = JSON.parse(read(`packages/${name}/package.json`)) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${VERSION}`);
  });

  it("is said in the README with its reason", () =>
    expect(read("README.md")).toMatch(
      `Node ${VERSION} or newer, which has SQLite built in and runs TypeScript as it is`,
    ));

  it.each(pages)("is no other one in %s", (page) => {
    const known = PAGES_ABOUT_CLONES.includes(page) ? [VERSION, CLONE_VERSION] : [VERSION];
    const said = [...read(page).matchAll(/Node (\d+(?:\.\d+)?)/g)].map(([, version = ""]) => version);
    expect(said.filter((version) => !known.includes(version))).toEqual([]);
  });

  it("of a clone is what the root requires in its engines", () => {
    const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${CLONE_VERSION}`);
  });

  it.each(PAGES_ABOUT_CLONES)("of a clone is said in %s", (page) =>
    expect(read(page)).toContain(`Node ${CLONE_VERSION} or newer`),
  );

  it("of the repository's own tools is the one that pnpm brings, and is said in CONTRIBUTING.md", () => {
    const workspace = read("pnpm-workspace.yaml");
    const [, own = ""] = /^nodeVersion: (\d+\.\d+)\.\d+$/m.exec(workspace) ?? [];
    expect(workspace).toMatch(new RegExp(`^  node: ${own}\\.\\d+$`, "m"));
    expect(read("CONTRIBUTING.md")).toContain(`the repository's own Node, ${own}, come`);
  });

  it("runs the commands of CONTRIBUTING.md: `pnpm exec` brings the repository's own", () => {
    const commands = [...read("CONTRIBUTING.md").matchAll(/(?:pnpm exec )?\bnode (?:--|tools)/g)].map(
      ([found]) => found,
    );
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter((command) => !command.startsWith("pnpm exec "))).toEqual([]);
  });
});
