// Packed packages, each in a folder that holds what it says that it needs, and nothing else: no
// optional peer is there, and nothing that is not declared can be found.
//
//   <store>/@opstate/react/node_modules/@opstate/react     the package
//                                      /@opstate/core  ->  <store>/@opstate/core/node_modules/…
//                                      /react          ->  as it is installed for the workspace

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Manifest } from "./published.ts";

export interface Unpacked {
  readonly tarball: string;
  readonly manifest: Manifest;
  /** The package's folder in the workspace, whose installed dependencies are used. */
  readonly folder: string;
}

/**
 * Puts a package into a folder of its own in the store, with what it needs beside it, and with the
 * types of that where they come apart, as an application has them; the folder.
 */
export function installBare(
  store: string,
  { tarball, manifest, folder: own }: Unpacked,
  all: readonly Unpacked[],
): string {
  const folder = join(store, manifest.name);
  const target = installed(folder, manifest.name);
  if (existsSync(target)) return folder;
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  for (const name of needs(manifest)) {
    const sibling = all.find((other) => other.manifest.name === name);
    if (sibling !== undefined) link(installed(installBare(store, sibling, all), name), installed(folder, name));
    else for (const one of [name, `@types/${name}`, "@types/node"]) link(installed(own, one), installed(folder, one));
  }
  return folder;
}

function installed(folder: string, name: string): string {
  return join(folder, "node_modules", name);
}

/**
 * Which entries of a package cannot be imported there. The package itself needs no optional peer;
 * an entry beside it may need one, and nothing else that is not there.
 */
export function importFaults(folder: string, { manifest }: Unpacked): readonly string[] {
  const { name, exports = {}, peerDependencies = {} } = manifest;
  const script = join(folder, "import.mjs");
  // One process for all: a module that cannot be loaded fails whoever imports it.
  writeFileSync(
    script,
    `const faults = {};
    for (const entry of process.argv.slice(2)) await import(entry).catch((error) => (faults[entry] = error.message));
    process.stdout.write(JSON.stringify(faults), () => process.exit());`,
  );
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
  const specifiers = entries.map((entry) => join(name, entry));
  const { stdout, stderr } = spawnSync(process.execPath, [script, ...specifiers], { cwd: folder, encoding: "utf8" });
  if (!stdout.startsWith("{")) return [`its entries can be imported: ${stdout.trim()} ${stderr.trim()}`];
  return Object.entries(JSON.parse(stdout) as Record<string, string>).flatMap(([specifier, message]) => {
    const missing = /Cannot find package '([^']+)'/.exec(message)?.[1] ?? "";
    return specifier !== name && missing in peerDependencies ? [] : [`import "${specifier}" works: ${message}`];
  });
}

/** Whether the log of a package stores there, in a thread of its own: without one it warns. */
export function logFaults(folder: string, { manifest: { name } }: Unpacked): readonly string[] {
  if (name !== "@opstate/server") return [];
  const script = join(folder, "log.mjs");
  writeFileSync(
    script,
    `import { sqliteLog } from "@opstate/server/sqlite";
    const log = sqliteLog({ path: "log.sqlite" });
    await log.create({ threadId: "t", definition: "d", definitionVersion: 1, state: {}, at: "" });
    console.log((await log.info("t")).threadId);
    await log.close();`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: "utf8" });
  return stdout === "t\n" && !stderr.includes("OPSTATE_NO_WORKER")
    ? []
    : [`${name}/sqlite stores in a thread of its own: ${stdout.trim()} ${stderr.trim()}`];
}

/**
 * Which types of packages do not hold in their folders, for an application that checks its
 * libraries. One compiler looks at all of them: what two packages need is read once.
 */
export function typeFaults(
  bare: readonly { readonly folder: string; readonly name: string }[],
  tsc: string,
): readonly string[] {
  const files = bare.map(({ folder, name }) => {
    const file = join(folder, "types.ts");
    writeFileSync(file, `export type * from "${name}";\n`);
    return file;
  });
  // There the compiler looks for the types of Node.
  const cwd = bare.find(({ folder }) => existsSync(join(folder, "node_modules/@types/node")))?.folder;
  const options = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--lib",
    "es2023,dom,dom.iterable",
    "--types",
    "node",
  ];
  const { stdout } = spawnSync(tsc, [...options, ...files], { cwd, encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes("@opstate/") && line.includes("error"));
}

function needs({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: Manifest): readonly string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...peers];
}

/** Makes what is at one place to be found at another. */
function link(source: string, target: string): void {
  if (!existsSync(source) || existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(realpathSync(source), target);
}
