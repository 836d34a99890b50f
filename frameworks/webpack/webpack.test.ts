// webpack by itself: the page of the guide "A smaller page", with the condition, with the alias and
// without.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { guideFiles } from "../../docs/test/support/guide.ts";
import { hasFullEngine } from "../harness/bundle.ts";
import { createProject, type Project } from "../harness/project.ts";

const { "page.ts": page, "list.ts": list, "webpack.config.mjs": asTheGuideSays } = guideFiles("a-smaller-page");

let project: Project;
beforeAll(async () => {
  project = await createProject({ name: "webpack", from: [join(import.meta.dirname, "app")] });
  for (const [file, text] of Object.entries({ "page.ts": page, "list.ts": list }))
    writeFileSync(join(project.folder, file), text!);
});
afterAll(() => project?.remove());

it.each([
  ["condition", asTheGuideSays!, true],
  ["alias", `export default { resolve: { alias: { "@opstate/core/engine$": "@opstate/core/engine/page" } } };`, true],
  ["neither", "export default {};", false],
])("webpack gives a page its build: %s", async (name, config, isPageBuild) => {
  writeFileSync(join(project.folder, `${name}.config.mjs`), config);
  writeFileSync(
    join(project.folder, "webpack.config.mjs"),
    `import { bundled } from "./base.config.mjs"; import config from "./${name}.config.mjs"; export default bundled("${name}", config);`,
  );
  await project.run("webpack", []);
  const bundle = readFileSync(join(project.folder, `${name}.bundle.mjs`), "utf8");
  expect(hasFullEngine(bundle)).toBe(!isPageBuild);
  const kilobytes = gzipSync(bundle).length / 1000;
  console.log(`webpack, ${name}: ${kilobytes.toFixed(1)} KB`);
  if (isPageBuild) expect(kilobytes).toBeLessThan(15);
  else expect(kilobytes).toBeGreaterThan(40);
  const used = JSON.parse(await project.run("node", ["use.mjs", `./${name}.bundle.mjs`])) as unknown;
  expect(used).toEqual({ state: { items: ["milk"], count: 1 }, refused: "invalid_operation" });
});
