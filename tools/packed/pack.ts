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

const packages = fileURLToPath(new URL("../../packages", import.meta.url));

/** Packs all libraries into a folder. They must be built. */
export function packAll(out: string): readonly PackedPackage[] {
  return readdirSync(packages).map((name) => pack(join(packages, name), out));
}

function pack(folder: string, out: string): PackedPackage {
  const made = execFileSync("pnpm", ["pack", "--json", "--pack-destination", out], { cwd: folder, encoding: "utf8" });
  const [{ filename: tarball }] = JSON.parse(`[${made}]`) as [{ readonly filename: string }];
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
