// "A smaller page": real bundles of its page by Vite and esbuild, with the condition and with the
// alias, and what runs in them.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Transport } from "@opstate/core";
import { build, type InlineConfig } from "vite";
import { describe, expect, it, vi } from "vitest";
import { writeGuide } from "../support/guide.ts";

const name = "a-smaller-page";
const folder = writeGuide(name);
const entry = join(folder, "page.ts");

// esbuild comes with size-limit: this repository builds nothing with it.
const fromRoot = createRequire(new URL("../../../package.json", import.meta.url));
const esbuild = createRequire(fromRoot.resolve("@size-limit/esbuild"))("esbuild") as {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
};

async function byEsbuild(options: object): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    external: ["zod", "zod/*"],
    ...options,
  });
  return outputFiles[0]!.text;
}

async function byVite(configFile: string | false): Promise<string> {
  // Vitest has another one, and Vite uses what is there.
  vi.stubEnv("NODE_ENV", "production");
  const config: InlineConfig = {
    root: folder,
    configFile: configFile === false ? false : join(folder, configFile),
    logLevel: "error",
    build: {
      write: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict", external: [/^zod/] },
    },
  };
  const result = await build(config);
  vi.unstubAllEnvs();
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !("output" in output)) throw new Error("Vite gave no bundle.");
  return output.output[0].code;
}

/** What a page does first, in a bundle: an edit shows, a refused one does not. */
async function usesPage(bundle: string, file: string): Promise<void> {
  const path = join(folder, `${file}.bundle.mjs`);
  writeFileSync(path, bundle);
  const { open } = (await import(pathToFileURL(path).href)) as { open(transport: Transport): unknown };
  const replica = open({
    connect: ({ onMessage, onStatus }) => {
      onStatus("online");
      onMessage({ type: "snapshot", snapshot: { version: 0, state: { items: [], count: 0 } } });
      return { send: () => undefined, close: () => undefined };
    },
  }) as { getState(): unknown; submit(update: unknown): Promise<unknown>; close(): void };
  const verdict = replica.submit({ type: "add", item: "milk" });
  verdict.catch(() => undefined);
  expect(replica.getState()).toEqual({ items: ["milk"], count: 1 });
  expect(await replica.submit({ type: "add", item: 1 })).toMatchObject({
    accepted: false,
    rejection: { code: "invalid_operation" },
  });
  replica.close();
}

const kilobytes = (bundle: string) => gzipSync(bundle).length / 1000;

/** The words of the full engine's strict patches are in no page. */
const isPageBuild = (bundle: string) => !bundle.includes("cannot move into itself");

describe("a bundle of the page", () => {
  it.each([
    ["esbuild, by the condition", () => byEsbuild({ conditions: ["opstate-page"] })],
    ["esbuild, by an alias", () => byEsbuild({ alias: { "@opstate/core/engine": "@opstate/core/engine/page" } })],
    ["Vite, by the condition", () => byVite("vite.config.ts")],
    ["Vite, by an alias", () => byVite("vite.alias.config.ts")],
  ])("is small and works: %s", async (how, bundled) => {
    const bundle = await bundled();
    expect(isPageBuild(bundle)).toBe(true);
    // The definition of the test is in it; docs/decisions/page-build.md has the sizes.
    expect(kilobytes(bundle)).toBeLessThan(14);
    await usesPage(bundle, how.replaceAll(/\W+/g, "-"));
  });

  it.each([
    ["esbuild", () => byEsbuild({})],
    ["Vite", () => byVite(false)],
  ])("is the full build without: %s", async (how, bundled) => {
    const bundle = await bundled();
    expect(isPageBuild(bundle)).toBe(false);
    expect(kilobytes(bundle)).toBeGreaterThan(40);
    await usesPage(bundle, `full-${how}`);
  });

  it("has no zod of its own, classic or other, in what the condition gives", async () => {
    const bundle = await byEsbuild({ conditions: ["opstate-page"] });
    const imported = [...bundle.matchAll(/(?<!")from"([^"]+)"/g)].map(([, from]) => from);
    expect(new Set(imported)).toEqual(new Set(["zod/mini", "zod/v4/core"]));
  });
});
