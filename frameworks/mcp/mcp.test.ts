// The official conformance suite of MCP on an endpoint from the packed packages.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { createProject, type Project } from "../harness/project.ts";
import { SCENARIOS } from "./scenarios.ts";

let project: Project;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  project = await createProject({ name: "mcp", from: [join(import.meta.dirname, "app")], ports: { 4310: port } });
  url = `http://127.0.0.1:${port}/mcp`;
  await project.start("node", ["server.ts"]).printed(/^Serving$/m);
});
afterAll(() => project?.remove());

it("passes the scenarios that the list says it passes, and no other", async () => {
  const failing = Object.keys(SCENARIOS).filter((name) => SCENARIOS[name] !== "pass");
  // JSON is YAML. With it the suite fails when one fails that is not in it, or one passes that is.
  writeFileSync(join(project.folder, "expected.yaml"), JSON.stringify({ server: failing }));
  const suite = join(project.folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const output = await project.run("node", [
    suite,
    "server",
    ...["--url", url, "--suite", "all", "--expected-failures", "expected.yaml"],
  ]);
  const played = [...output.matchAll(/^=== Running scenario: (\S+) ===$/gm)].map(([, name]) => name);
  expect(new Set(played)).toEqual(new Set(Object.keys(SCENARIOS)));
});
