// A backup of a file that a server writes to, restored when the file is lost: what was acknowledged
// before it is there, once, and clients send the rest again. This runs a few rounds;
// `tools/soaks/restore.ts` runs any number.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isLong, runs } from "../../../../tools/runs.ts";
import { restoreRounds } from "../support/restore-rounds.ts";

it(
  "a backup under load loses nothing that was acknowledged before it, and nothing happens twice",
  { timeout: isLong() ? 3_600_000 : 300_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "opstate-restore-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const report = await restoreRounds({ folder, rounds: runs(3, 50), seed: 1 });
    expect(report.before).toBeGreaterThan(60);
    expect(report.after).toBeGreaterThan(30);
  },
);
