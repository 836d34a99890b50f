// "What undo keeps, recomputes, carries and asks about": its programs print what the guide says.

import { expect, it } from "vitest";
import { guideFiles, writeGuide } from "../support/guide.ts";
import { startProgram } from "../support/program.ts";

const name = "what-undo-keeps";
const folder = writeGuide(name);

it.each(["keeps", "asks"])("prints what the guide says: %s", async (file) => {
  const program = startProgram(folder, `${file}.ts`);
  expect([await program.ended, program.output()]).toEqual([0, guideFiles(name)[`${file}.txt`]]);
});
