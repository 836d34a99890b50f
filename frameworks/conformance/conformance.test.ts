// The program `conformance` as it is published, on the server of its README, over a port.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { createProject, type Project } from "../harness/project.ts";

let project: Project;
beforeAll(async () => {
  project = await createProject({ name: "conformance", from: [join(import.meta.dirname, "app")] });
});
afterAll(() => project?.remove());

/** The server of the README, from the package itself. */
function serverOfReadme(port: number): string {
  const readme = readFileSync(join(project.folder, "node_modules/@opstate/conformance/README.md"), "utf8");
  const [, code = ""] = /^```ts\n([^]*?createServer[^]*?)^```/m.exec(readme) ?? [];
  return `${code.replace("4310", String(port))}\nconsole.log("Serving");\n`;
}

it("finds nothing wrong with the server of its README", async () => {
  const port = await freePort();
  writeFileSync(join(project.folder, "server.ts"), serverOfReadme(port));
  await project.start("node", ["server.ts"]).printed(/^Serving$/m);
  const output = await project.run("conformance", ["--url", `http://127.0.0.1:${port}`]);
  expect(output).toMatch(/^\d{2,} scenarios, 0 wrong$/m);
});
