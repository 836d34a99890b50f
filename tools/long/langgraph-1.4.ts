// Runs the whole suite of @opstate/langgraph, and its types, on LangGraph 1.4, the older of the two
// lines that its peer range names:
// node tools/long/langgraph-1.4.ts [arguments for vitest]
//
// The workspace runs on the newer line. Both lines do not fit into one tree (the newest
// langgraph-sdk that 1.4 can be installed with is 1.12.4), so this makes a project of its own in a
// temporary folder: copies of langgraph and of the workspace's packages that it needs, the
// workspace's settings with the older versions in the catalog, and the workspace's lockfile, from
// which pnpm keeps everything else.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Pinned in the catalog, and as overrides: what depends on them must not bring the newer ones. */
const CATALOG: { readonly [name: string]: string } = {
  "@langchain/core": "1.2.13",
  "@langchain/langgraph": "1.4.18",
  "@langchain/langgraph-checkpoint": "1.1.5",
};
const OVERRIDES = { ...CATALOG, "@langchain/langgraph-sdk": "1.12.4" };

const root = fileURLToPath(new URL("../../", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "opstate-langgraph-1.4-"));
let status = 1;
try {
  status = run(process.argv.slice(2));
} finally {
  rmSync(project, { recursive: true, force: true });
}
process.exitCode = status;

function run(args: readonly string[]): number {
  makeProject();
  const langgraph = join(project, "packages/langgraph");
  return (
    pnpm(project, ["install", "--no-frozen-lockfile", "--prefer-offline"]) ||
    checkVersions(langgraph) ||
    pnpm(langgraph, ["exec", "tsc", "-p", "tsconfig.json", "--noEmit"]) ||
    pnpm(langgraph, ["exec", "vitest", "run", ...args])
  );
}

function makeProject(): void {
  const isSource = (path: string) => !["node_modules", "dist", ".turbo", ".examples"].includes(basename(path));
  for (const path of [...neededFolders("packages/langgraph"), "tools", "tsconfig.base.json", "vitest.shared.ts"])
    cpSync(join(root, path), join(project, path), { recursive: true, filter: isSource });
  cpSync(join(root, "pnpm-lock.yaml"), join(project, "pnpm-lock.yaml"));
  writeFileSync(join(project, "pnpm-workspace.yaml"), olderWorkspace());
  const { packageManager }: { packageManager: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const devDependencies = {
    "fast-check": "catalog:",
    node: "catalog:",
    "@types/node": "catalog:",
    typescript: "catalog:",
    vitest: "catalog:",
  };
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ private: true, type: "module", packageManager, devDependencies }),
  );
}

/** The folder of a package, and of all packages of the workspace that it and they need. */
function neededFolders(folder: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies = {}, devDependencies = {} }: Readonly<Record<string, Readonly<Record<string, string>>>> =
    JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
    if (range.startsWith("workspace:")) neededFolders(`packages/${name.replace("@opstate/", "")}`, found);
  return found;
}

/** The workspace's settings, with the older versions. */
function olderWorkspace(): string {
  const lines = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8").split("\n");
  const replaced = lines.map((line) => {
    const [, name = ""] = /^ {2}"?([^":]+)"?: \d/.exec(line) ?? [];
    return name in CATALOG ? `  "${name}": ${CATALOG[name]}` : line;
  });
  const missing = Object.values(CATALOG).filter((version) => !replaced.some((line) => line.endsWith(`: ${version}`)));
  const overrides = replaced.indexOf("overrides:");
  if (missing.length > 0 || overrides === -1)
    throw new Error(`pnpm-workspace.yaml has no place for ${[...missing, "overrides"].join(", ")} any more.`);
  const added = Object.entries(OVERRIDES).map(([name, version]) => `  "${name}": ${version}`);
  return replaced.toSpliced(overrides + 1, 0, ...added).join("\n");
}

/** Fails when something else was installed than the lowest of the peer ranges. */
function checkVersions(langgraph: string): number {
  const { peerDependencies }: { readonly peerDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(langgraph, "package.json"), "utf8"),
  );
  for (const [name, version] of Object.entries(CATALOG)) {
    const range = peerDependencies[name];
    if (range !== undefined && !range.startsWith(`>=${version} `))
      throw new Error(`The peer range of ${name} is ${range}, and this run is on ${version}.`);
    const manifest = readFileSync(join(langgraph, "node_modules", name, "package.json"), "utf8");
    const { version: installed }: { version: string } = JSON.parse(manifest);
    if (installed !== version) throw new Error(`${name} ${installed} is installed, not ${version}.`);
    console.log(`${name} ${installed}`);
  }
  return 0;
}

function pnpm(cwd: string, args: readonly string[]): number {
  const { packageManager }: { packageManager: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return spawnSync("npx", ["-y", packageManager, ...args], { cwd, stdio: "inherit" }).status ?? 1;
}
