// The starters of examples/: an agent for each host, as its developer begins with it, on one
// server. In the long form: each is a process of its own.

import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { isLong } from "../../tools/runs.ts";
import { type Program, startProgram } from "./support/program.ts";
import { typeErrors } from "./support/types.ts";

const folder = join(import.meta.dirname, ".examples/starters");
const hosts = {
  http: "HTTP",
  mcp: "MCP",
  "ag-ui": "AG-UI",
  "ai-sdk": "the AI SDK",
  "openai-agents": "OpenAI Agents",
  langgraph: "LangGraph",
};

describe.runIf(isLong())("a starter", () => {
  let server: Program | undefined;

  beforeAll(async () => {
    const port = String(await freePort());
    rmSync(folder, { recursive: true, force: true });
    const isSource = (path: string) => !/\/(?:node_modules|packed)$|\.json$|\.md$/.test(path);
    cpSync(join(import.meta.dirname, "../../examples"), folder, { recursive: true, filter: isSource });
    for (const file of ["server.ts", "board.ts"]) {
      const path = join(folder, file);
      writeFileSync(path, readFileSync(path, "utf8").replace("4310", port));
    }
    server = startProgram(folder, "server.ts");
    await server.printed(/^Serving /m);
  });
  afterAll(() => server?.stop());

  it("is right to the compiler", () => expect(typeErrors(folder)).toBe(""));

  it.each(Object.entries(hosts))("%s.ts adds a card, and says so", async (file, host) => {
    const program = startProgram(folder, `${file}.ts`);
    expect(await program.ended).toBe(0);
    expect(program.output()).toMatch(/Accepted: (?:board is now at )?version \d+/);
    expect(program.output()).toContain(`From ${host}`);
  });
});
