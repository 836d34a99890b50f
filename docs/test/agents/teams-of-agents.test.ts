// "Teams of agents and subgraphs": each team does what the guide prints.

import { afterAll, describe, expect, it } from "vitest";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { type Program, startProgram } from "../support/program.ts";

const name = "teams-of-agents";

describe("Teams of agents and subgraphs", () => {
  const folder = writeGuide(name);
  const files = guideFiles(name);
  const programs: Program[] = [];
  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  it("installs what its code imports", () =>
    expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

  it.each([
    ["folds what agents did at once, and corrects what they read", "at-once"],
    ["has one state for a supervisor and its agents, on a thread", "supervisor"],
  ])("%s", async (_, program) => {
    const started = startProgram(folder, `${program}.ts`);
    programs.push(started);
    expect([await started.ended, started.output()]).toEqual([0, files[`${program}.txt`]]);
  });

  it("warns of a plain field, whose last subgraph wins", async () => {
    const started = startProgram(folder, "lost.ts");
    programs.push(started);
    expect(await started.ended).toBe(0);
    expect(started.output()).toContain(files["lost.txt"]);
    expect(started.output()).toContain(files["warning.txt"]?.trimEnd());
  });
});
