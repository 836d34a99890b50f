// The starters of examples/: each agent, as its developer begins with it, on one server.

import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { createProject, type Project } from "../harness/project.ts";

const starters = {
  http: "HTTP",
  mcp: "MCP",
  "ag-ui": "AG-UI",
  "ai-sdk": "the AI SDK",
  "openai-agents": "OpenAI Agents",
  langgraph: "LangGraph",
};

let project: Project;
beforeAll(async () => {
  const from = [join(import.meta.dirname, "../../examples")];
  project = await createProject({ name: "starters", from, ports: { 4310: await freePort() } });
  await project.start("node", ["server.ts"]).printed(/^Serving /m);
});
afterAll(() => project?.remove());

it("has right types", async () => expect(await project.run("tsc", [])).toBe(""));

it.each(Object.entries(starters))("%s.ts adds a card, and says so", async (file, host) => {
  const output = await project.run("node", [`${file}.ts`]);
  expect(output).toMatch(/Accepted: (?:board is now at )?version \d+/);
  expect(output).toContain(`From ${host}`);
});
