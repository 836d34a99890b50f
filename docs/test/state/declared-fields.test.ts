// "Declared fields: append or replace": each of its programs prints what the guide says.

import { fieldsFromDeclaration } from "@opstate/core/declaration";
import { afterAll, describe, expect, it } from "vitest";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { type Program, startProgram } from "../support/program.ts";

const name = "declared-fields";

describe("Declared fields: append or replace", () => {
  const folder = writeGuide(name);
  const files = guideFiles(name);
  const programs: Program[] = [];
  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  const run = async (file: string) => {
    const program = startProgram(folder, file);
    programs.push(program);
    expect([await program.ended, program.output()]).toEqual([0, expect.anything()]);
    return program.output();
  };

  it("installs what its code imports", () =>
    expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

  it("merges messages by id, appends items, replaces the rest", async () =>
    expect(await run("turns.ts")).toBe(files["turns.txt"]));

  it("keeps what nodes write side by side in LangGraph", async () =>
    expect(await run("graph.ts")).toBe(files["graph.txt"]));

  it("reports what a field refused", async () => expect(await run("refused.ts")).toBe(files["refused.txt"]));

  it("has the same in code", async () => {
    const said = /console\.log\(.*\); \/\/ (.*)/.exec(files["debate.ts"] ?? "")?.[1];
    expect(await run("debate.ts")).toBe(`${said}\n`);
  });

  it("reports mistakes as the guide shows them", () => {
    expect(() => fieldsFromDeclaration(files["mistakes.yaml"] ?? "")).toThrow(files["mistakes.txt"]?.trimEnd());
  });
});
