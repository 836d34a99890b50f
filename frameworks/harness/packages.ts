// Packs the libraries once for all frameworks.

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { packAll } from "../../tools/packed/pack.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder with the tarball and manifest of each library, as `opstate-<name>`. */
    readonly packages: string;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "opstate-packed-"));
  packInto(folder);
  project.provide("packages", folder);
  return () => rmSync(folder, { recursive: true });
}

/** Tarballs without a version in their names, so that lockfiles hold after a release. */
export function packInto(folder: string): void {
  const out = join(folder, "versioned");
  mkdirSync(out, { recursive: true });
  for (const { tarball, manifest } of packAll(out)) {
    const name = fileNameOf(manifest.name);
    copyFileSync(tarball, join(folder, `${name}.tgz`));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(manifest));
  }
  rmSync(out, { recursive: true });
}

/** `opstate-core` for `@opstate/core`. */
export const fileNameOf = (name: string): string => name.replace("@", "").replace("/", "-");
