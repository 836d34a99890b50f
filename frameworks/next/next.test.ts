// Next with its App Router, as it is published, built for production and used in a browser.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProject, type Project } from "../harness/project.ts";

let project: Project;
beforeAll(async () => {
  project = await createProject({ name: "next", from: ["app", "more"].map((part) => join(import.meta.dirname, part)) });
});
afterAll(() => project?.remove());

describe("Next", () => {
  it("is installed", async () => {
    expect(await project.run("node", ["-p", "require('next/package.json').version"])).toBe("16.4.6\n");
    expect(await project.run("node", ["-p", "Object.keys(require('@opstate/server'))"])).toContain("createServer");
  });
});
