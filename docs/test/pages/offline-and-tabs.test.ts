// "Offline and tabs": its program prints what the guide says. What it says of tabs is tested in a
// browser, in packages/server/test/client/tabs.

import { expect, it } from "vitest";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { startProgram } from "../support/program.ts";

const name = "offline-and-tabs";
const folder = writeGuide(name);

it("installs what its code imports", () =>
  expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

it("prints what the guide says", async () => {
  const program = startProgram(folder, "offline.ts");
  expect([await program.ended, program.output()]).toEqual([0, guideFiles(name)["offline.txt"]]);
});
