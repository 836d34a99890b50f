// "From useCoAgent": its program prints what the guide says.

import { afterAll, describe, expect, it } from "vitest";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { type Program, startProgram } from "../support/program.ts";

const name = "from-use-co-agent";

describe("From useCoAgent", () => {
  const folder = writeGuide(name);
  const files = guideFiles(name);
  const programs: Program[] = [];
  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  it("installs what its code imports", () =>
    expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

  it.each([
    ["lets a person and an agent work on one state, and shows both what was refused", "talk"],
    ["writes what a page sets before a run", "keep"],
  ])("%s", async (_, program) => {
    const started = startProgram(folder, `${program}.ts`);
    programs.push(started);
    expect([await started.ended, started.output()]).toEqual([0, files[`${program}.txt`]]);
  });
});
