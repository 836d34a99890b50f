// "Ids and time": its program prints what the guide says, and the definition keeps the laws.

import { join } from "node:path";
import type { AnyDefinition } from "@opstate/core";
import { checkDefinition } from "@opstate/core/testing";
import { expect, it } from "vitest";
import { guideFiles, writeGuide } from "../support/guide.ts";
import { startProgram } from "../support/program.ts";

const name = "ids-and-time";
const folder = writeGuide(name);

it("prints what the guide says", async () => {
  const program = startProgram(folder, "ids.ts");
  expect([await program.ended, program.output()]).toEqual([0, guideFiles(name)["ids.txt"]]);
});

it("keeps the laws", async () => {
  const { notes }: { notes: AnyDefinition } = await import(join(folder, "notes.ts"));
  const result = checkDefinition(notes);
  expect(result.ok ? [] : result.findings.map(({ message }) => message)).toEqual([]);
});
