// "Show what the agent is about to do": the guide's server and page. The agent's pauses end when
// the page has shown the piece before, so that no test depends on what is faster.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../../tools/free-port.ts";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { type Program, startProgram } from "../support/program.ts";
import { svelteErrors, typeErrors } from "../support/types.ts";

const name = "live-intent";
const ports = { 4310: await freePort() };

/** A pause that ends when there is a file of its number. */
const STEPS = `import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
let step = 0;
export async function wait(): Promise<void> {
  step += 1;
  while (!existsSync(\`step-\${step}\`)) await setTimeout(10);
}
`;

let folder: string;
let server: Program;

beforeAll(async () => {
  folder = writeGuide(name, { ports });
  const code = readFileSync(join(folder, "server.ts"), "utf8");
  const held = code
    .replace('import { setTimeout as wait } from "node:timers/promises";', 'import { wait } from "./steps.ts";')
    .replace("wait(500)", "wait()");
  writeFileSync(join(folder, "server.ts"), held);
  writeFileSync(join(folder, "steps.ts"), STEPS);
  server = startProgram(folder, "server.ts");
  await server.printed(/^Serving /m);
});

afterAll(() => server?.stop());

it("installs what its code imports", () =>
  expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

it("has right types", () => {
  const types = writeGuide(name, { folder: `${name}-types` });
  expect(typeErrors(types)).toBe("");
  expect(svelteErrors(types)).toBe("");
});

it("shows an item while its text is written, and then the item", async () => {
  const page = startProgram(folder, "page.ts");
  const printed = [/^\[\] 1 ahead$/m, /^\[Coffee\] 1 ahead$/m, /^\[Coffee beans\] 1 ahead$/m];
  for (const [index, line] of printed.entries()) {
    await page.printed(line);
    writeFileSync(join(folder, `step-${index + 1}`), "");
  }
  expect(await page.ended).toBe(0);
  expect(page.output()).toBe(guideFiles(name)["printed.txt"]);
});
