// Seconds of what `tools/soaks/steady.ts` does for an hour.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isLong } from "../../../tools/runs.ts";
import { SteadySoak } from "./support/steady/steady-soak.ts";

it.runIf(isLong())("a server under a steady load loses nothing, and its readers miss nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "opstate-steady-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const soak = new SteadySoak({
    path: join(folder, "log.sqlite"),
    seed: 7,
    seconds: 5,
    threads: 4,
    readers: 5,
    rate: 50,
    every: 2_500,
  });
  const { minutes, faults } = await soak.run();
  expect(faults).toEqual([]);
  expect(minutes.reduce((sum, { answered }) => sum + answered, 0)).toBeGreaterThan(100);
  expect(minutes.reduce((sum, { delivered }) => sum + delivered, 0)).toBeGreaterThan(500);
});
