// "Next with a server component": its code is the application that `frameworks/next` builds, with
// Next's own check of types, and uses in a browser.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { guideFiles, guideImports, guideInstalls } from "../support/guide.ts";

const name = "next-with-a-server-component";
const app = join(import.meta.dirname, "../../../frameworks/next/app");
const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
const manifest: { readonly dependencies: object; readonly devDependencies: object } = JSON.parse(
  readFileSync(join(app, "package.json"), "utf8"),
);

describe("Next with a server component", () => {
  it("shows the application that is built in tests, all of it and nothing else", () =>
    expect(guideFiles(name)).toEqual(
      Object.fromEntries(files.map((file) => [file, readFileSync(join(app, file), "utf8")])),
    ));

  it("has the board of the guide without a framework", () =>
    expect(guideFiles(name)["board.ts"]).toBe(guideFiles("board-in-react")["board.ts"]));

  it("installs what its code imports, as the application does", () => {
    expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)]));
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    // That of the server: a reader's clone names it.
    expect(guideInstalls(name).toSorted()).toEqual(installed.filter((each) => each !== "@opstate/ag-ui").toSorted());
  });
});
