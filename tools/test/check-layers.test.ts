import { describe, expect, it } from "vitest";
import {
  type Entries,
  entriesOf,
  findForbidden,
  findUnnamed,
  layerOf,
  printTable,
  readEntries,
  tableFaults,
} from "../checks/check-layers.ts";
import { type Layer, LAYERS } from "../checks/layers.ts";

const entries = readEntries();

/** The table if every layer could name every package: what is reported then is the order alone. */
const ordered = LAYERS.map((layer) => ({ ...layer, packages: ["*"] }));

/** The place in the table of the highest layer behind an entry. */
function highest(files: readonly string[]): number {
  return Math.max(...files.map((file) => layerOf(LAYERS, file)).map((row) => (row ? LAYERS.indexOf(row) : -1)));
}

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
  it("names only layers that are below", () => expect(tableFaults(LAYERS, entries)).toEqual([]));

  it("is at fault where a layer may import one above it, or one that there is none of", () => {
    const [low, high] = [layer("a/src", ["b/src"]), layer("b/src", ["c/src"])];
    expect(tableFaults([low, high], new Map())).toEqual([
      "a/src may import b/src, which stands above it",
      "b/src may import c/src, which is no layer",
    ]);
  });

  it("is at fault where a layer may import an entry of a package above it, or one that there is none of", () => {
    const low = { ...layer("a/src", []), packages: ["@opstate/b/log", "@opstate/b/gone", "hono"] };
    expect(tableFaults([low, layer("b/src", [])], new Map([["@opstate/b/log", ["packages/b/src/log.ts"]]]))).toEqual([
      'a/src may import "@opstate/b/log", whose b/src stands above it',
      'a/src may import "@opstate/b/gone", which is no entry',
    ]);
  });

  it("is at fault where it names the entries above a layer by their prefix", () => {
    const low = { ...layer("a/src", []), packages: ["@opstate/b/*"] };
    expect(tableFaults([low, layer("b/src", [])], new Map([["@opstate/b/log", ["packages/b/src/log.ts"]]]))).toEqual([
      'a/src may import "@opstate/b/*", whose b/src stands above it',
    ]);
  });

  it("is at fault where the layers of a package do not stand together", () => {
    expect(tableFaults([layer("a/src/in", []), layer("b/src", []), layer("a/src", [])], new Map())).toEqual([
      "a/src stands apart from the other layers of its package",
    ]);
  });

  it("has every file behind an entry in one of its layers", () => {
    const files = [...entries.values()].flat();
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((file) => layerOf(LAYERS, file) === undefined)).toEqual([]);
  });

  it("is at fault where it does not name a folder, or names one that there is none of", () => {
    const table = [{ ...layer("a/src", []), folders: { "a/src/in": "some", "a/src/gone": "none" } }];
    expect(findUnnamed(table, ["packages/a/src/x.ts", "packages/a/src/in/x.ts", "packages/a/src/new/x.ts"])).toEqual([
      "a/src/new is not named in tools/checks/layers.ts",
      "a/src/gone is named, and there is none",
    ]);
  });

  it("is printed with a row for each layer", () => {
    const rows = printTable(LAYERS).split("\n").slice(2);
    expect(rows.map((row) => /`([^`]+)`/.exec(row)?.[1])).toEqual(LAYERS.map(({ at }) => at));
  });
});

describe.each(LAYERS.map((row) => [row.at, row] as const))("%s", (_, row) => {
  const file = fileIn(row);
  const plant = (text: string) => findForbidden(LAYERS, entries, [{ file, text }]);

  it("finds its own files", () => expect(layerOf(LAYERS, file)?.at).toBe(row.at));

  it("may not import any layer that the table does not name", () => {
    const others = LAYERS.filter((other) => other !== row && !row.may.includes(other.at));
    for (const other of others)
      expect(plant(`import { x } from "${specifier(row, other)}";`), other.at).toHaveLength(1);
  });

  it("may import the layers that it names, and itself", () => {
    const text = [row, ...row.may.flatMap((at) => LAYERS.filter((other) => other.at === at))]
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

  it("imports an entry of a package here only as one that it names", () => {
    const names = row.packages.map((name) => (name.endsWith("*") ? name.slice(0, -1) : name));
    const unnamed = [...entries.keys()].filter((entry) => !names.some((name) => entry.startsWith(name)));
    expect(unnamed.length).toBeGreaterThan(5);
    for (const entry of unnamed) expect(plant(`import { x } from "${entry}";`), entry).toHaveLength(1);
  });

  it("imports no entry whose file is in a layer above, were it to name it", () => {
    const at = LAYERS.indexOf(row);
    for (const [entry, files] of entries) {
      const faults = findForbidden(ordered, entries, [{ file, text: `import { x } from "${entry}";` }]);
      expect(faults.length > 0, entry).toBe(highest(files) > at);
    }
  });
});

describe("the entries of a package", () => {
  it("have the files behind them under every condition", () => {
    const manifest = {
      name: "@opstate/a",
      exports: {
        ".": { "@opstate/source": "./src/index.ts", default: "./dist/index.js" },
        "./engine": { page: { "@opstate/source": "./src/page/engine.ts" }, "@opstate/source": "./src/engine.ts" },
        "./package.json": "./package.json",
      },
    };
    expect(entriesOf("packages/a", manifest)).toEqual(
      new Map([
        ["@opstate/a", ["packages/a/src/index.ts"]],
        ["@opstate/a/engine", ["packages/a/src/page/engine.ts", "packages/a/src/engine.ts"]],
      ]),
    );
  });

  it("are those that the packages here have", () => {
    expect(entries.get("@opstate/core/engine")).toEqual([
      "packages/core/src/page/engine.ts",
      "packages/core/src/engine.ts",
    ]);
    expect(entries.get("@opstate/server/sql")).toEqual(["packages/server/src/sqlite/sql-log.ts"]);
  });

  it.each([
    ["core/src/engine", "@opstate/core/engine"],
    ["core/src/definition", "@opstate/core/engine"],
    ["core/src/thread", "@opstate/core"],
    ["core/src/replica", "@opstate/core/testing"],
    ["core/src", "@opstate/server"],
    ["client/src/once.ts", "@opstate/client/threads"],
    ["server/src/log", "@opstate/server/sqlite"],
    ["agent/src", "@opstate/langgraph"],
  ])("%s may not import %s, were it to name it", (at, entry) => {
    const file = fileIn(LAYERS.find((row) => row.at === at) ?? layer(at, []));
    const faults = findForbidden(ordered, entries, [{ file, text: `import { x } from "${entry}";` }]);
    expect(faults[0]).toContain(`${file}: ${at} may not import `);
  });
});

describe("an import", () => {
  const below = layer("core/src/low", []);
  const above = layer("core/src/high", ["core/src/low"]);
  const known: Entries = new Map([
    ["@opstate/core/low", ["packages/core/src/low/index.ts"]],
    ["@opstate/core/high", ["packages/core/src/high/index.ts"]],
  ]);
  const forbidden = (text: string) =>
    findForbidden([below, above], known, [{ file: "packages/core/src/low/a.ts", text }]);

  it.each([
    ["of a value", 'import { b } from "../high/b.ts";'],
    ["of a type", 'import type { B } from "../high/b.ts";'],
    ["for its effects", 'import "../high/b.ts";'],
    ["over several lines", 'import {\n  a,\n  b,\n} from "../high/b.ts";'],
    ["at run time", 'const b = await import("../high/b.ts");'],
    ["in a type", 'let b: import("../high/b.ts").B;'],
    ["that is exported again", 'export * from "../high/b.ts";'],
    ["of a package", 'import { z } from "zod";'],
    ["of an entry that the table does not name", 'import { b } from "@opstate/core/low";'],
  ])("%s is seen", (_, text) => expect(forbidden(text)).toHaveLength(1));

  it.each([
    ["in a line of comment", '// import { b } from "../high/b.ts";'],
    ["in an example", '/**\n * import { b } from "../high/b.ts";\n */'],
  ])("%s is none", (_, text) => expect(forbidden(text)).toEqual([]));

  it.each([
    ["of an entry above", 'import { b } from "@opstate/core/high";', '"@opstate/core/high"'],
    ["of the type of an entry above", 'let b: import("@opstate/core/high").B;', '"@opstate/core/high"'],
    ["of an entry that there is none of", 'import { b } from "@opstate/core/gone";', "is no entry"],
  ])("%s is seen in a layer that may import every package", (_, text, named) => {
    const open = [{ ...below, packages: ["*"] }, above];
    const faults = findForbidden(open, known, [{ file: "packages/core/src/low/a.ts", text }]);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(named);
  });

  it("in a file of no layer is reported", () => {
    expect(findForbidden([below], known, [{ file: "packages/new/src/a.ts", text: "" }])).toEqual([
      "packages/new/src/a.ts is in no layer: add its folder to tools/checks/layers.ts",
    ]);
  });
});

function layer(at: string, may: readonly string[]): Layer {
  return { at, does: "", may, packages: [] };
}
