// The check of the lockfiles of `frameworks/`: libraries come from tarballs, and none is forgotten.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lockFaults } from "../../frameworks/harness/lock.ts";

type Needs = Readonly<Record<string, string>>;

/** The faults of an application with `@opstate/server`, which needs `packed`. */
function faults(packed: Needs, locked: Needs, installed: readonly string[] = []): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "opstate-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "packed"));
  const tarball = (name: string) => ({ resolved: `file:packed/opstate-${name}.tgz` });
  const packages = Object.fromEntries(
    ["server", ...installed].map((name) => [
      `node_modules/@opstate/${name}`,
      { ...tarball(name), ...(name === "server" && { dependencies: locked }) },
    ]),
  );
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  for (const name of ["server", ...installed])
    writeFileSync(
      join(folder, "packed", `opstate-${name}.json`),
      JSON.stringify(name === "server" ? { dependencies: packed } : {}),
    );
  return lockFaults(folder);
}

it("is content when the lockfile names what a library needs, whatever the versions of ours are", () => {
  expect(
    faults({ hono: "^4", "@opstate/core": "^0.2.0" }, { hono: "^4", "@opstate/core": "^0.1.0" }, ["core"]),
  ).toEqual([]);
});

it("requires a new lockfile when a library needs something else", () => {
  expect(faults({ hono: "^5" }, { hono: "^4" })).toEqual([expect.stringContaining("older than what @opstate/server")]);
});

it("requires the tarball of one of ours that a library needs now", () => {
  const [missing, older] = faults({ "@opstate/streams": "^0.1.0" }, {});
  expect(missing).toContain('"@opstate/streams": "file:packed/opstate-streams.tgz"');
  expect(older).toContain("older than what @opstate/server needs");
});
