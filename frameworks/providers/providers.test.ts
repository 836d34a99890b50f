// What the chat models of providers send: an agent with the adapters that its developer has, up to
// the network. An endpoint on this machine answers, and refuses what the provider refuses.

import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createProject, type Project } from "../harness/project.ts";

let project: Project;
beforeAll(async () => {
  project = await createProject({ name: "providers", from: [join(import.meta.dirname, "app")] });
});
afterAll(() => project?.remove());

it("has right types", async () => expect(await project.run("tsc", [])).toBe(""));

it("sends valid calls with their results, in an order that can be cached", async () => {
  const output = await project.run("node", ["--test", "--test-reporter=tap", "sent.test.ts"]);
  expect(output).toMatch(/^# pass 13$/m);
  expect(output).toMatch(/^# skipped 0$/m);
});
