import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { importFaults, installBare, type Unpacked } from "../packed/bare-install.ts";

const root = mkdtempSync(join(tmpdir(), "opstate-bare-"));
afterAll(() => rmSync(root, { recursive: true }));

/** A package with an entry `.` and an entry `./more`, installed with one optional peer missing. */
function faultsWith(files: { readonly root: string; readonly more: string }): readonly string[] {
  const made = mkdtempSync(join(root, "made-"));
  const manifest = {
    name: "thing",
    version: "1.0.0",
    type: "module",
    exports: { ".": "./root.js", "./more": "./more.js", "./package.json": "./package.json" },
    peerDependencies: { "optional-peer": "^1.0.0" },
    peerDependenciesMeta: { "optional-peer": { optional: true } },
  };
  const all = { "root.js": files.root, "more.js": files.more, "package.json": JSON.stringify(manifest) };
  for (const [name, text] of Object.entries(all)) {
    const path = join(made, "package", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const tarball = join(made, "thing.tgz");
  execFileSync("tar", ["-czf", tarball, "-C", made, "package"]);
  const thing: Unpacked = { tarball, manifest, folder: made };
  const bare = mkdtempSync(join(root, "bare-"));
  return importFaults(installBare(bare, thing, [thing]), thing);
}

it("finds nothing wrong where only an entry of its own needs the optional peer", () =>
  expect(faultsWith({ root: "export {};", more: 'import "optional-peer";' })).toEqual([]));

it("finds that the package itself needs the optional peer", () =>
  expect(faultsWith({ root: 'import "optional-peer";', more: "" })).toEqual([
    expect.stringMatching(/^import "thing" works: Cannot find package 'optional-peer'/),
  ]));

it("finds that an entry needs what is not declared", () =>
  expect(faultsWith({ root: "", more: 'import "undeclared";' })).toEqual([
    expect.stringMatching(/^import "thing\/more" works: Cannot find package 'undeclared'/),
  ]));

it("finds an entry that throws", () =>
  expect(faultsWith({ root: 'throw new Error("broken");', more: "" })).toEqual(['import "thing" works: broken']));
