// What a production build made of the libraries.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export interface Bundle {
  /** Of all scripts, gzipped. */
  readonly bytes: number;
  /** Whether the full engine is in it. */
  readonly isFull: boolean;
}

/** The scripts of a folder and of those in it. */
export function bundleIn(folder: string): Bundle {
  const scripts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.m?js$/.test(file))
    .map((file) => readFileSync(join(folder, file)));
  if (scripts.length === 0) throw new Error(`There is no script in ${folder}.`);
  return {
    bytes: scripts.reduce((sum, script) => sum + gzipSync(script).length, 0),
    isFull: scripts.some((script) => hasFullEngine(script.toString())),
  };
}

/** By words of its strict patches, which nothing of the page's build says. */
export const hasFullEngine = (script: string): boolean => script.includes("cannot move into itself");
