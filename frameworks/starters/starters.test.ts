// The starters of examples/: an agent for each host, as its developer begins with it, on one
// server. Each is a process of its own.

import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { pythonPath } from "../../tools/python.mjs";
import { createProject, type Project } from "../harness/project.ts";

const hosts = {
  http: "HTTP",
  mcp: "MCP",
  "ag-ui": "AG-UI",
  "ai-sdk": "the AI SDK",
  "openai-agents": "OpenAI Agents",
  langgraph: "LangGraph",
};
const root = join(import.meta.dirname, "../..");

let project: Project;
beforeAll(async () => {
  const from = [join(root, "examples"), join(import.meta.dirname, "app")];
  project = await createProject({ name: "starters", from, ports: { 4310: await freePort() } });
  await project.start("node", ["server.ts"]).printed(/^Serving /m);
});
afterAll(() => project?.remove());

it("have right types", async () => expect(await project.run("tsc", [])).toBe(""));

it.each(Object.entries(hosts))("%s.ts adds a card, and says so", async (file, host) => {
  const output = await project.run("node", [`${file}.ts`]);
  expect(output).toMatch(/Accepted: (?:board is now at )?version \d+/);
  expect(output).toContain(`From ${host}`);
});

it("agent.py adds a card, and says so", async () => {
  const output = await project.run(pythonPath() ?? "python3", ["agent.py"], {
    PYTHONPATH: join(root, "clients/python/src"),
  });
  expect(output).toMatch(/Accepted: (?:board is now at )?version \d+/);
  expect(output).toContain("From Python");
});
