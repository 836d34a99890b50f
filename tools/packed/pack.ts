// The libraries as they would be published: packed, and what stands in the tarballs.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest } from "./published.ts";

export interface PackedPackage {
  /** The path of the tarball. */
  readonly tarball: string;
  /** The package's folder in the workspace. */
  readonly folder: string;
  /** The manifest as it stands in the tarball, where a range is what users get. */
  readonly manifest: Manifest;
  /** All files of the tarball by their path in the package. */
  readonly files: ReadonlyMap<string, string>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const packages = join(root, "packages");

/** What pnpm says of a package that it packed. */
interface Made {
  readonly name: string;
  /** The path of the tarball. */
  readonly filename: string;
}

/** Packs all libraries into a folder. They must be built. */
export function packAll(out: string): readonly PackedPackage[] {
  const pack = ["--recursive", "--filter", "./packages/*", "pack", "--json", "--pack-destination", out];
  const made = execFileSync("pnpm", pack, { cwd: root, encoding: "utf8", maxBuffer: Infinity });
  const tarballs = new Map((JSON.parse(made) as readonly Made[]).map(({ name, filename }) => [name, filename]));
  return readdirSync(packages).map((directory) => {
    const folder = join(packages, directory);
    const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly name: string };
    const tarball = tarballs.get(name);
    if (tarball === undefined) throw new Error(`pnpm did not pack ${name}.`);
    return unpack(folder, tarball, out);
  });
}

function unpack(folder: string, tarball: string, out: string): PackedPackage {
  const unpacked = mkdtempSync(join(out, "unpacked-"));
  execFileSync("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"]);
  const paths = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = new Map(
    paths.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(unpacked, path), readFileSync(path, "utf8")];
    }),
  );
  return { tarball, folder, files, manifest: JSON.parse(files.get("package.json") ?? "") };
}
