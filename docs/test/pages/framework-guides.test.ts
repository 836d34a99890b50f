// "SvelteKit" and "React Router": their code is the applications that `frameworks` builds, checks
// the types of, and uses in a browser.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { guideFiles, guideImports, guideInstalls } from "../support/guide.ts";

describe.each([
  ["sveltekit", "src/lib/board.ts"],
  ["react-router", "app/board.ts"],
])("the guide %s", (name, board) => {
  const app = join(import.meta.dirname, "../../../frameworks", name, "app");
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(?:src|app)\/.*\.\w+$|^vite\.config\.ts$/.test(file),
  );
  const manifest: { readonly dependencies: object; readonly devDependencies: object } = JSON.parse(
    readFileSync(join(app, "package.json"), "utf8"),
  );

  it("shows the application that is built in tests, all of it and nothing else", () =>
    expect(guideFiles(name)).toEqual(
      Object.fromEntries(files.map((file) => [file, readFileSync(join(app, file), "utf8")])),
    ));

  it("has the board of the guide without a framework", () =>
    expect(guideFiles(name)[board]).toBe(guideFiles("board-in-react")["board.ts"]));

  it("installs what its code imports, as the application does", () => {
    // What begins with "#" or "$" is the application's own.
    const imported = guideImports(name).filter((each) => /^[@a-z]/.test(each));
    expect(guideInstalls(name)).toEqual(expect.arrayContaining(imported));
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    // That of the server: a reader's clone names it.
    expect(guideInstalls(name).toSorted()).toEqual(installed.filter((each) => each !== "@opstate/ag-ui").toSorted());
  });
});
