// A framework's lockfile: exact versions of everything, but no digest of our own tarballs, which
// are others with each build, and no address of a registry, which is the reader's.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileNameOf } from "./packages.ts";

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface LockedPackage extends Needs {
  resolved?: string;
  integrity?: string;
}

/**
 * What to do where the lockfile is not of what the libraries need now, or where a library needs one
 * of ours that the application does not have as a tarball: npm would look for it in a registry.
 */
export function lockFaults(folder: string): readonly string[] {
  const own = ownPackages(readLock(folder));
  const packed = new Set(own.filter(([, { resolved }]) => resolved?.startsWith("file:")).map(([name]) => name));
  const faults = own.flatMap(([name, locked]) => {
    const manifest = JSON.parse(readFileSync(join(folder, "packed", `${fileNameOf(name)}.json`), "utf8")) as Needs;
    const missing = Object.keys(manifest.dependencies ?? {}).filter((each) => isOwn(each) && !packed.has(each));
    const isSame = (part: keyof Needs) =>
      JSON.stringify(sorted(manifest[part])) === JSON.stringify(sorted(locked[part]));
    return [
      ...missing.map(
        (each) =>
          `${name} needs ${each}. Add "${each}": "file:packed/${fileNameOf(each)}.tgz" to the application's package.json, and write its lockfile anew: node frameworks/lock.ts`,
      ),
      ...(isSame("dependencies") && isSame("peerDependencies")
        ? []
        : [`The lockfile is older than what ${name} needs. Write it anew: node frameworks/lock.ts`]),
    ];
  });
  return [...new Set(faults)];
}

/** Takes our own packages out of a lockfile: npm would keep what they needed before. */
export function forgetOwn(folder: string): void {
  const { packages, ...lock } = readLock(folder);
  const own = new Set(ownPackages({ packages }).map(([, locked]) => locked));
  const others = Object.entries(packages).filter(([, locked]) => !own.has(locked));
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ ...lock, packages: Object.fromEntries(others) }, undefined, 2),
  );
}

/** Takes out of a lockfile that npm wrote what is not to be committed. */
export function cleanLock(folder: string): void {
  const lock = readLock(folder);
  for (const locked of Object.values(lock.packages))
    if (locked.resolved?.startsWith("http") === true) delete locked.resolved;
  for (const [, locked] of ownPackages(lock)) delete locked.integrity;
  writeFileSync(join(folder, "package-lock.json"), `${JSON.stringify(lock, undefined, 2)}\n`);
}

function ownPackages({ packages }: Lock): readonly (readonly [string, LockedPackage])[] {
  return Object.entries(packages).flatMap(([path, locked]) => {
    const name = /node_modules\/(@opstate\/[^/]+)$/.exec(path)?.[1];
    return name === undefined ? [] : [[name, locked] as const];
  });
}

const readLock = (folder: string): Lock => JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as Lock;

const isOwn = (name: string): boolean => name.startsWith("@opstate/");

/** Our own without their ranges, which change with each release. */
const sorted = (record: Readonly<Record<string, string>> = {}): unknown =>
  Object.entries(record)
    .map(([name, range]) => (isOwn(name) ? [name] : [name, range]))
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
