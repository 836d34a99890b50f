// A server in a bundle that was made with the condition of a page's: it decides on the full engine.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("a server on the page's build of core decides as the full build does", async () => {
  const conditions = ["--conditions=opstate-page", "--conditions=@opstate/source"];
  const program = join(import.meta.dirname, "support/pages/page-build-server.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [...conditions, program]);
  expect(JSON.parse(stdout)).toMatchObject({
    created: { version: 0 },
    added: { accepted: true, version: 1 },
    strayed: { accepted: false, rejection: { code: "invalid_state" } },
    undone: { accepted: true, version: 2 },
    alone: true,
  });
});
