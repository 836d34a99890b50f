// Holds every import of the packages against the table of layers, and prints the table into
// ARCHITECTURE.md.
//
//   node tools/checks/check-layers.ts            reports what the table forbids; fails when
//                                                ARCHITECTURE.md shows another table
//   node tools/checks/check-layers.ts --write    writes the table into ARCHITECTURE.md

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type Layer, LAYERS } from "./layers.ts";

const PACKAGES = "packages";
/** The condition under which an export names its source. */
const SOURCE = "@opstate/source";
const START = "<!-- layers: written by tools/checks/check-layers.ts -->";
const END = "<!-- /layers -->";

export interface Source {
  /** The path from the root of the repository, with "/". */
  readonly file: string;
  readonly text: string;
}

/**
 * The files behind each entry of the packages here, by the name that an import gives it. Under a
 * condition an entry may have another file.
 */
export type Entries = ReadonlyMap<string, readonly string[]>;

export interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** The entries of a package: `folder` is its path from the root of the repository. */
export function entriesOf(folder: string, { name, exports = {} }: Manifest): Entries {
  const entries = Object.entries(exports).map(
    ([key, value]) =>
      [
        name + key.slice(1),
        sourcesOf(value)
          .map((file) => join(folder, file))
          .map(toPath),
      ] as const,
  );
  return new Map(entries.filter(([, files]) => files.length > 0));
}

/** The sources that an export names, under whatever conditions. */
function sourcesOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([condition, inner]) =>
    condition === SOURCE && typeof inner === "string" ? [inner] : sourcesOf(inner),
  );
}

/**
 * What the table itself gets wrong: a layer that may import one that stands after it, or one that
 * there is none of; a package whose layers do not stand together.
 */
export function tableFaults(table: readonly Layer[], entries: Entries): readonly string[] {
  return table.flatMap((layer, index) => [
    ...layer.may.flatMap((name) => {
      const other = table.findIndex(({ at }) => at === name);
      if (other < 0) return [`${layer.at} may import ${name}, which is no layer`];
      return other < index ? [] : [`${layer.at} may import ${name}, which stands above it`];
    }),
    ...layer.packages.flatMap((allowed) => {
      const named = [...entries.keys()].filter((entry) => matches(allowed, entry));
      if (named.length === 0 && isOwn(entries, allowed))
        return [`${layer.at} may import "${allowed}", which is no entry`];
      return named
        .flatMap((entry) => layersAbove(table, entries, layer, entry))
        .map((above) => `${layer.at} may import "${allowed}", whose ${above.at} stands above it`);
    }),
    ...(packageOf(table[index - 1]) !== packageOf(layer) &&
    table.slice(0, index).some((before) => packageOf(before) === packageOf(layer))
      ? [`${layer.at} stands apart from the other layers of its package`]
      : []),
  ]);
}

/** Each import that its layer may not have, as one line. */
export function findForbidden(
  table: readonly Layer[],
  entries: Entries,
  sources: readonly Source[],
): readonly string[] {
  return sources.flatMap(({ file, text }) => {
    const layer = layerOf(table, file);
    if (layer === undefined) return [`${file} is in no layer: add its folder to tools/checks/layers.ts`];
    return importsOf(text).flatMap((specifier) => {
      if (!specifier.startsWith(".")) {
        if (!layer.packages.some((allowed) => matches(allowed, specifier)))
          return [`${file}: ${layer.at} may not import the package "${specifier}"`];
        if (isOwn(entries, specifier) && !entries.has(specifier)) return [`${file}: "${specifier}" is no entry`];
        return layersAbove(table, entries, layer, specifier).map(
          (above) => `${file}: ${layer.at} may not import ${above.at}, which stands above it ("${specifier}")`,
        );
      }
      const target = toPath(relative(".", resolve(dirname(file), specifier)));
      const other = layerOf(table, target);
      if (other === layer || (other !== undefined && layer.may.includes(other.at))) return [];
      return [`${file}: ${layer.at} may not import ${other?.at ?? "what is in no layer"} ("${specifier}")`];
    });
  });
}

/** The layers behind an entry that stand after a layer. */
function layersAbove(table: readonly Layer[], entries: Entries, layer: Layer, entry: string): readonly Layer[] {
  const behind = new Set((entries.get(entry) ?? []).map((file) => layerOf(table, file)));
  return table.slice(table.indexOf(layer) + 1).filter((other) => behind.has(other));
}

/** Whether a specifier is of a package here. */
function isOwn(entries: Entries, specifier: string): boolean {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  return [...entries.keys()].some((entry) => entry === name || entry.startsWith(`${name}/`));
}

function packageOf(layer: Layer | undefined): string | undefined {
  return layer?.at.split("/")[0];
}

/** Each folder with sources that the table does not name, and each that it names without reason. */
export function findUnnamed(table: readonly Layer[], files: readonly string[]): readonly string[] {
  const there = new Set(files.map((file) => dirname(file).slice(PACKAGES.length + 1)));
  const rooms = table.flatMap(({ folders = {} }) => Object.keys(folders));
  const named = new Set([
    ...rooms,
    ...table.flatMap(({ at, files: own }) => (own === undefined ? [at] : own.map(dirname))),
  ]);
  return [
    ...[...there]
      .filter((folder) => !named.has(folder))
      .map((folder) => `${folder} is not named in tools/checks/layers.ts`),
    ...rooms.filter((folder) => !there.has(folder)).map((folder) => `${folder} is named, and there is none`),
  ];
}

/** The table as ARCHITECTURE.md shows it. */
export function printTable(table: readonly Layer[]): string {
  const rows = table.map(({ at, does, folders = {}, may, packages }) => {
    const imports = [...may.map((name) => `\`${name}\``), ...packages.map((name) => `"${name}"`)];
    const rooms = Object.entries(folders).map(([folder, what]) => `; \`${folder}\`: ${what}`);
    return `| \`${at}\` | ${does}${rooms.join("")} | ${imports.length === 0 ? "nothing" : imports.join(", ")} |`;
  });
  return ["| layer | what it does | may import |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The layer that names the file itself, else the one of the deepest folder around it. */
export function layerOf(table: readonly Layer[], file: string): Layer | undefined {
  const path = file.startsWith(`${PACKAGES}/`) ? file.slice(PACKAGES.length + 1) : file;
  const named = table.find(({ files }) => files?.includes(path));
  if (named !== undefined) return named;
  const around = table.filter(({ at, files }) => files === undefined && path.startsWith(`${at}/`));
  return around.toSorted((a, b) => b.at.length - a.at.length)[0];
}

/** The specifiers of all imports and re-exports, of types too; what stands in comments is none. */
function importsOf(text: string): readonly string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const found = code.matchAll(/(?:^|[\s;}])(?:from|import)\s*\(?\s*"([^"\n]+)"/g);
  return [...found].map(([, specifier]) => specifier ?? "");
}

function matches(allowed: string, specifier: string): boolean {
  return allowed.endsWith("*") ? specifier.startsWith(allowed.slice(0, -1)) : specifier === allowed;
}

function toPath(path: string): string {
  return path.split(sep).join("/");
}

/** The entries of all packages. */
export function readEntries(): Entries {
  const all = readdirSync(PACKAGES).flatMap((name) => {
    const path = join(PACKAGES, name, "package.json");
    return existsSync(path) ? [...entriesOf(join(PACKAGES, name), JSON.parse(readFileSync(path, "utf8")))] : [];
  });
  return new Map(all);
}

function readSources(): readonly Source[] {
  return readdirSync(PACKAGES).flatMap((name) => {
    const folder = join(PACKAGES, name, "src");
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.(ts|tsx|svelte)$/.test(file),
    );
    return files.map((file) => ({ file: toPath(join(folder, file)), text: readFileSync(join(folder, file), "utf8") }));
  });
}

function main(write: boolean): number {
  process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
  const sources = readSources();
  const entries = readEntries();
  const unnamed = findUnnamed(
    LAYERS,
    sources.map(({ file }) => file),
  );
  const faults = [...tableFaults(LAYERS, entries), ...findForbidden(LAYERS, entries, sources), ...unnamed];
  for (const fault of faults) console.error(fault);
  console.log(`${LAYERS.length} layers, ${faults.length} faults, 0 expected`);
  const page = readFileSync("ARCHITECTURE.md", "utf8");
  const [before, rest] = [page.slice(0, page.indexOf(START) + START.length), page.slice(page.indexOf(END))];
  const next = `${before}\n\n${printTable(LAYERS)}\n\n${rest}`;
  if (write) writeFileSync("ARCHITECTURE.md", next);
  else if (normal(next) !== normal(page)) {
    console.error("ARCHITECTURE.md shows another table: run node tools/checks/check-layers.ts --write");
    return 1;
  }
  return faults.length === 0 ? 0 : 1;
}

/** The formatter pads a table's cells. */
function normal(text: string): string {
  return text.replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.includes("--write"));
