// kill -9 while something is erased: afterwards it is whole, or can be done again, and what was
// acknowledged is in no file. This runs a few rounds; `tools/soaks/erase.ts` runs any number.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isLong, runs } from "../../../tools/runs.ts";
import { eraseRounds } from "./support/erase/erase-rounds.ts";

it.each(["redact", "delete"] as const)(
  "%s in a process that is killed leaves nothing half done, and nothing that was acknowledged as erased",
  { timeout: isLong() ? 3_600_000 : 300_000 },
  async (what) => {
    const folder = mkdtempSync(join(tmpdir(), "opstate-erase-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const report = await eraseRounds({ folder, what, rounds: runs(2, 100), seed: 3 });
    expect(report.statements).toBeGreaterThan(10);
  },
);
