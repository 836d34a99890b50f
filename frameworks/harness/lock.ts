// A framework's lockfile: exact versions of everything, but no digest of our own tarballs, which
// are others with each build, and no address of a registry, which is the reader's.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileNameOf } from "./packages.ts";

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  resolved?: string;
  integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Whether the lockfile is of what the libraries need now; if not, what to do. */
export function lockFaults(folder: string): readonly string[] {
  return ownPackages(readLock(folder)).flatMap(([name, locked]) => {
    const packed = JSON.parse(
      readFileSync(join(folder, "packed", `${fileNameOf(name)}.json`), "utf8"),
    ) as LockedPackage;
    const isSame = (part: "dependencies" | "peerDependencies") =>
      JSON.stringify(sorted(packed[part])) === JSON.stringify(sorted(locked[part]));
    return isSame("dependencies") && isSame("peerDependencies")
      ? []
      : [`The lockfile is older than what ${name} needs. Write it anew: node frameworks/lock.ts`];
  });
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

/** Without our own, whose ranges change with each release. */
const sorted = (record: Readonly<Record<string, string>> = {}): unknown =>
  Object.entries(record)
    .filter(([name]) => !name.startsWith("@opstate/"))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
