// The client's own tests, in Python: they start a real server of this workspace.

import { expect, it } from "vitest";
import { runPython } from "./support/python.ts";

it("passes its own tests", { timeout: 3_600_000 }, async () => {
  const { code, stderr } = await runPython(["unittest", "discover", "-s", "tests", "-t", "."]);
  expect(stderr).toMatch(/^Ran \d{2,} tests in [\d.]+s\n\nOK\n$/m);
  expect(code).toBe(0);
});
