// "Testing and evaluating an agent": its tests run as its reader runs them, and its evaluation
// prints what the guide says.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { startProgram } from "../support/program.ts";

const name = "testing-an-agent";
const folder = writeGuide(name);
const files = guideFiles(name);

/** Packages of this workspace come as sources. */
const CONFIG = `export default { ssr: { resolve: { conditions: ["@opstate/source", "module", "node"] } } };`;

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

it("installs what its code imports", () =>
  expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

it("all of its tests pass", () => {
  writeFileSync(join(folder, "vitest.config.ts"), CONFIG);
  const report = join(folder, "report.json");
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^(?:VITEST|VITE_|TEST$|NODE_ENV$)/.test(key)),
  );
  const { stdout, stderr } = spawnSync(
    join(import.meta.dirname, "../../node_modules/.bin/vitest"),
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    { cwd: folder, encoding: "utf8", env },
  );
  expect(existsSync(report), `${stdout}${stderr}`).toBe(true);
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const passed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === "passed").map(({ title }) => title),
  );
  const written = Object.values(files).flatMap((text) =>
    [...text.matchAll(/^test\("([^"]+)"/gm)].map(([, title]) => title ?? ""),
  );
  expect(passed.toSorted(), `${stdout}${stderr}`).toEqual(written.toSorted());
});

it("its evaluation prints what the guide says", async () => {
  const program = startProgram(folder, "run.ts");
  try {
    expect([await program.ended, program.output()]).toEqual([0, files["run.txt"]]);
  } finally {
    await program.stop();
  }
});
