// The bindings stay thin: what two need lives below them, in the client.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Lines of source, comments included, as they were before the client was built; and of Svelte's
 * those of `Intents` and `ProposalOutcome`, which came later.
 */
const LIMITS = [
  ["react", 830],
  ["svelte", 783 + 46 + 45],
] as const;

function linesOf(binding: string): number {
  const folder = join(import.meta.dirname, "../../packages", binding, "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(tsx?|svelte)$/.test(file),
  );
  expect(files).toContain("index.ts");
  return files.reduce((sum, file) => sum + readFileSync(join(folder, file), "utf8").trimEnd().split("\n").length, 0);
}

describe.each(LIMITS)("the binding for %s", (binding, limit) => {
  it(`has at most ${limit} lines`, () => {
    expect(linesOf(binding)).toBeLessThanOrEqual(limit);
  });
});
