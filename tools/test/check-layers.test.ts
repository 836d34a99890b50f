import { describe, expect, it } from "vitest";
import { findForbidden, findUnnamed, layerOf, printTable, tableFaults } from "../check-layers.ts";
import { type Layer, layers } from "../layers.ts";

/** A file that is in a layer, whether or not there is one of its name. */
function fileIn({ at, files }: Layer): string {
  return `packages/${files?.[0] ?? `${at}/planted.ts`}`;
}

/** How a file in one layer names a file in another. */
function specifier(from: Layer, to: Layer): string {
  const up = "../".repeat(fileIn(from).split("/").length - 1);
  return `${up}${fileIn(to)}`;
}

describe("the table of layers", () => {
  it("names only layers that are below", () => expect(tableFaults(layers)).toEqual([]));

  it("is at fault where a layer may import one above it, or one that there is none of", () => {
    const [low, high] = [layer("a/src", ["b/src"]), layer("b/src", ["c/src"])];
    expect(tableFaults([low, high])).toEqual([
      "a/src may import b/src, which stands above it",
      "b/src may import c/src, which is no layer",
    ]);
  });

  it("is at fault where it does not name a folder, or names one that there is none of", () => {
    const table = [{ ...layer("a/src", []), folders: { "a/src/in": "some", "a/src/gone": "none" } }];
    expect(findUnnamed(table, ["packages/a/src/x.ts", "packages/a/src/in/x.ts", "packages/a/src/new/x.ts"])).toEqual([
      "a/src/new is not named in tools/layers.ts",
      "a/src/gone is named, and there is none",
    ]);
  });

  it("is printed with a row for each layer", () => {
    const rows = printTable(layers).split("\n").slice(2);
    expect(rows.map((row) => /`([^`]+)`/.exec(row)?.[1])).toEqual(layers.map(({ at }) => at));
  });
});

describe.each(layers.map((row) => [row.at, row] as const))("%s", (_, row) => {
  const file = fileIn(row);
  const plant = (text: string) => findForbidden(layers, [{ file, text }]);

  it("finds its own files", () => expect(layerOf(layers, file)?.at).toBe(row.at));

  it("may not import any layer that the table does not name", () => {
    const others = layers.filter((other) => other !== row && !row.may.includes(other.at));
    for (const other of others)
      expect(plant(`import { x } from "${specifier(row, other)}";`), other.at).toHaveLength(1);
  });

  it("may import the layers that it names, and itself", () => {
    const text = [row, ...row.may.flatMap((at) => layers.filter((other) => other.at === at))]
      .map((other) => `export type { X } from "${specifier(row, other)}";`)
      .join("\n");
    expect(plant(text)).toEqual([]);
  });

  it.each(["react", "zod", "zod/mini", "hono", "node:fs", "svelte", "langchain"])(
    "imports %s only as a package that it names",
    (name) => {
      const allowed = row.packages.some(
        (known) => known === name || (known.endsWith("*") && name.startsWith(known.slice(0, -1))),
      );
      expect(plant(`import { x } from "${name}";`)).toHaveLength(allowed ? 0 : 1);
    },
  );
});

describe("an import", () => {
  const below = layer("core/src/low", []);
  const above = layer("core/src/high", ["core/src/low"]);
  const forbidden = (text: string) => findForbidden([below, above], [{ file: "packages/core/src/low/a.ts", text }]);

  it.each([
    ["of a value", 'import { b } from "../high/b.ts";'],
    ["of a type", 'import type { B } from "../high/b.ts";'],
    ["for its effects", 'import "../high/b.ts";'],
    ["over several lines", 'import {\n  a,\n  b,\n} from "../high/b.ts";'],
    ["at run time", 'const b = await import("../high/b.ts");'],
    ["in a type", 'let b: import("../high/b.ts").B;'],
    ["that is exported again", 'export * from "../high/b.ts";'],
    ["of a package", 'import { z } from "zod";'],
  ])("%s is seen", (_, text) => expect(forbidden(text)).toHaveLength(1));

  it.each([
    ["in a line of comment", '// import { b } from "../high/b.ts";'],
    ["in an example", '/**\n * import { b } from "../high/b.ts";\n */'],
  ])("%s is none", (_, text) => expect(forbidden(text)).toEqual([]));

  it("in a file of no layer is reported", () => {
    expect(findForbidden([below], [{ file: "packages/new/src/a.ts", text: "" }])).toEqual([
      "packages/new/src/a.ts is in no layer: add its folder to tools/layers.ts",
    ]);
  });
});

function layer(at: string, may: readonly string[]): Layer {
  return { at, does: "", may, packages: [] };
}
