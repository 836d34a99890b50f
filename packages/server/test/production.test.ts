// In production, a write inside a callback of a reading method is a commit or a refusal, never a
// change that a restart loses.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "opstate-production-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Ended {
  readonly version: number;
  readonly verdicts: Readonly<Record<string, string>>;
  readonly state: unknown;
}

/** Runs on the built core, without the source condition. */
async function writer(mode: "write" | "read", drafts: string): Promise<Ended> {
  const script = join(import.meta.dirname, "support/processes/production-writes.ts");
  const env = { ...process.env, NODE_ENV: "production" };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, mode, join(directory, `${drafts}.sqlite`), drafts],
    { env },
  );
  return JSON.parse(stdout) as Ended;
}

describe.each(["recording", "immer"])("a definition in production, on %s drafts", { timeout: 240_000 }, (drafts) => {
  it("changes no state that its log does not have", async () => {
    const written = await writer("write", drafts);
    for (const [type, verdict] of Object.entries(written.verdicts)) expect(verdict, type).not.toContain("SILENT");
    const { version, state } = await writer("read", drafts);
    expect({ version, state }).toEqual({ version: written.version, state: written.state });
    // Immer passes drafts to callbacks, so a callback may write.
    if (drafts === "immer") return;
    for (const method of [
      "some",
      "every",
      "find",
      "findIndex",
      "findLast",
      "findLastIndex",
      "filter",
      "sort",
      "map",
      "reduce",
    ])
      expect(written.verdicts[method]).toBe(
        `"${method}" failed: a callback of ${method}() wrote to something frozen, such as an item; use for...of, or change what find() returned. Nothing was changed.`,
      );
    for (const type of ["flatMap", "entries", "record"]) expect(written.verdicts[type]).toBe("accepted, changed");
  });
});
