// "From Annotation reducers": the graph before and after gives the same, and each program prints
// what the guide says.

import { afterAll, describe, expect, it } from "vitest";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { type Program, startProgram } from "../support/program.ts";

const name = "from-annotation-reducers";

describe("From Annotation reducers", () => {
  const folder = writeGuide(name);
  const files = guideFiles(name);
  const programs: Program[] = [];
  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  it("installs what its code imports", () =>
    expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

  it.each([
    ["refuses what an Annotation would keep", "one"],
    ["gives the same after as before", "same"],
    ["goes on with a thread that the old graph stored", "stored"],
  ])("%s", async (_, program) => {
    const started = startProgram(folder, `${program}.ts`);
    programs.push(started);
    expect([await started.ended, started.output()]).toEqual([0, expect.anything()]);
    expect(started.output()).toBe(files[`${program}.txt`]);
  });
});
