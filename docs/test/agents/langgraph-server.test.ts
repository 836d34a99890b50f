// "LangGraph's own server and useStream": its code is the application that `frameworks` starts,
// checks the types of, and uses in a browser.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guideFiles, guideImports, guideInstalls } from "../support/guide.ts";

const GUIDE = "langgraph-server";
const app = join(import.meta.dirname, "../../../frameworks", GUIDE, "app");
const read = (file: string) => readFileSync(join(app, file), "utf8");
/** What a reader has already, or npm writes. */
const OWN = /^(?:package(?:-lock)?|tsconfig)\.json$/;

it("shows the application that is started in tests, all of it and nothing else", () => {
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.includes(".") && !OWN.test(file),
  );
  expect(guideFiles(GUIDE)).toEqual(Object.fromEntries(files.map((file) => [file, read(file)])));
});

it("installs what its code imports, as the application does", () => {
  const installs = guideInstalls(GUIDE);
  expect(installs).toEqual(expect.arrayContaining([...guideImports(GUIDE)]));
  const { dependencies, devDependencies }: { readonly dependencies: object; readonly devDependencies: object } =
    JSON.parse(read("package.json"));
  // Those that the named ones need: a reader's clone names them. The model is the reader's.
  const named = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => name !== "@opstate/ag-ui" && name !== "@opstate/agent",
  );
  expect(installs.filter((name) => name !== "@langchain/openai").toSorted()).toEqual(named.toSorted());
});
