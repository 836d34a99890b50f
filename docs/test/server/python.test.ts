// "Python": its server, and its programs in their order, run as printed.

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../tools/free-port.ts";
import { pythonPath } from "../../../tools/python.mjs";
import { writeGuide } from "../support/guide.ts";
import { type Program, startProgram } from "../support/program.ts";

const sources = join(import.meta.dirname, "../../../clients/python/src");
const page = readFileSync(join(import.meta.dirname, "../../python.md"), "utf8");
const port = await freePort();
const folder = writeGuide("python", { ports: { 4310: port } });
let server: Program;

/** The output of `python` with these words, in the guide's folder. */
async function python(...words: readonly string[]): Promise<string> {
  const command = pythonPath();
  if (command === undefined) throw new Error("There is no Python 3.11 or newer: node tools/python.mjs says more.");
  const env = { ...process.env, PYTHONPATH: sources, PYTHONDONTWRITEBYTECODE: "1" };
  return (await promisify(execFile)(command, words, { cwd: folder, env })).stdout;
}

/** What the page prints below a program. */
function printed(file: string): string {
  const [, output] =
    new RegExp(`^\`\`\`python ${file}\\n[^]*?^\`\`\`\\n\\n\`\`\`\\w*\\n([^]*?)^\`\`\``, "m").exec(page) ?? [];
  if (output === undefined) throw new Error(`The page has no output of ${file}.`);
  return output;
}

beforeAll(async () => {
  server = startProgram(folder, "server.ts");
  await server.printed(/Serving/);
});
afterAll(() => server.stop());

describe("the guide", () => {
  it("prints what the page says, program after program", async () => {
    for (const file of ["agent.py", "model.py", "person.py"]) expect(await python(file), file).toBe(printed(file));
    const command = /^python (-m opstate\.generate .*) > (\S+)$/m.exec(page);
    const words = command?.[1]?.replace("4310", String(port)).match(/"[^"]*"|\S+/g) ?? [];
    const module = await python(...words.map((word) => word.replaceAll('"', "")));
    writeFileSync(join(folder, command?.[2] ?? ""), module);
    expect(await python("typed.py")).toBe("True\n");
  });
});
