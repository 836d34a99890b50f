// "Test and story your components": its tests run as its reader runs them, and its stories are
// rendered in them.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { svelteErrors, typeErrors } from "../support/types.ts";

const name = "test-and-story";
const root = join(import.meta.dirname, "../../..");

/** Packages of this workspace come as sources, and the browser is the one that is here. */
const CONFIG = `
import { defineConfig, mergeConfig } from "vitest/config";
import { playwright } from "@vitest/browser-playwright";
import { launchOptions } from "${root}/tools/browser.mjs";
import guide from "./vitest.config.ts";

export default mergeConfig(guide, defineConfig({
  cacheDir: ".vite",
  resolve: { conditions: ["@opstate/source", "module", "browser", "development|production"] },
  optimizeDeps: { include: ["zod", "@opstate/react > zustand/react", "@opstate/react > zustand/vanilla"] },
  server: { fs: { strict: false } },
  test: { browser: { provider: playwright({ launchOptions: launchOptions() }), screenshotFailures: false } },
}));
`;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Each test of the folder as `file: title: status`, by the guide's own configuration. */
function runTests(folder: string): { readonly tests: readonly string[]; readonly output: string } {
  writeFileSync(join(folder, "here.config.ts"), CONFIG);
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^(?:VITEST|VITE_|TEST$|NODE_ENV$)/.test(key)),
  );
  const report = join(folder, "report.json");
  const { stdout, stderr } = spawnSync(
    join(root, "docs/node_modules/.bin/vitest"),
    ["run", "--config", "here.config.ts", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    { cwd: folder, encoding: "utf8", env },
  );
  const output = `${stdout}${stderr}`;
  if (!existsSync(report)) return { tests: [], output };
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const tests = testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults.map(({ title, status }) => `${path.slice(folder.length + 1)}: ${title}: ${status}`),
  );
  return { tests: tests.toSorted(), output };
}

/** The tests that a folder's files have. */
function testsIn(files: Readonly<Record<string, string>>): readonly string[] {
  const found = Object.entries(files).flatMap(([file, text]) =>
    [...text.matchAll(/^test\("([^"]+)"/gm)].map(([, title]) => `${file}: ${title}: passed`),
  );
  return found.toSorted();
}

it("has right types", () => {
  const folder = writeGuide(name, { folder: `${name}-types` });
  expect(typeErrors(folder)).toBe("");
  expect(svelteErrors(folder)).toBe("");
});

it("installs what its tests import beside the application's own packages", () => {
  const own = /^(?:@opstate\/.*|zod|react|svelte)$/;
  expect(guideInstalls(name)).toEqual(
    expect.arrayContaining(guideImports(name).filter((imported) => !own.test(imported))),
  );
});

it("all of its tests pass, those of its stories too", () => {
  const { tests, output } = runTests(writeGuide(name));
  expect(tests, output).toEqual(testsIn(guideFiles(name)));
});
