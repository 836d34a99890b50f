// kill -9 does not show a missing flush, since the system's cache survives it. strace does: the
// server must send nothing about a commit before it is on the disk.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canTrace, checkFsync } from "../support/fsync/fsync-check.ts";

const traces = canTrace();
if (!traces)
  console.warn("\n*** Flushing before acknowledging was NOT checked: strace is missing, or may not trace here. ***\n");
const noSync = join(import.meta.dirname, "../support/fsync/no-sync.ts");

describe.skipIf(!traces)("a server on SQLite", { timeout: 240_000 }, () => {
  it("announces no commit before it is flushed", async () => {
    expect(await checkFsync(40)).toEqual({ "after its flush": 40 });
  });

  it("would fail this test if it did not flush", async () => {
    expect(await checkFsync(40, noSync)).toEqual({ "before its flush": 40 });
  });
});
