// Holds the bindings against the demos: each function, component, hook and class that
// `@opstate/react` and `@opstate/svelte` export has a user in `apps/*/src`.
//
//   node tools/checks/check-users.ts    names what no demo uses
//
// What counts as a use:
//
//   import { useSync } from "@opstate/react"             of useSync, under whatever name
//   import { undoOutcome } from "@opstate/core/thread"    of undoOutcome, which a binding passes on
//   const Board = createAgentStateContext(board)
//   Board.useHistory()      boardContext.history()       of useHistory, and of History

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const BINDINGS = ["packages/react", "packages/svelte"];
const CONTEXT = "createAgentStateContext";

export interface Source {
  /** The path from the root of the repository, with "/". */
  readonly file: string;
  readonly text: string;
}

/** A name that an entry of a package exports for use, not as a type. */
export interface Export {
  /** The entry, such as "@opstate/react". */
  readonly entry: string;
  readonly name: string;
  /** Whether it comes from another package, and the entry passes it on. */
  readonly isPassedOn: boolean;
}

/** Every export without a user, as one line. */
export function findUnused(exports: readonly Export[], sources: readonly Source[]): readonly string[] {
  const codes = sources.map(({ text }) => withoutComments(text));
  const imports = codes.flatMap(importsOf);
  const members = new Set(membersOfContexts(codes));
  return exports
    .filter(
      ({ entry, name, isPassedOn }) =>
        !members.has(firstLower(name)) &&
        !imports.some(
          (one) => one.name === name && (isPassedOn ? one.from.startsWith("@opstate/") : one.from === entry),
        ),
    )
    .map(({ entry, name }) => `${entry}: no demo uses ${name}`);
}

/** The values that an entry exports. It lists them by name, so what it exports can be read off. */
export function exportsOf(entry: string, text: string): readonly Export[] {
  const code = withoutComments(text);
  if (/\bexport\s*\*/.test(code)) throw new Error(`${entry} exports by "*": name what it exports`);
  const lists = code.matchAll(/\bexport\s*\{([^}]*)\}(?:\s*from\s*"([^"]+)")?/g);
  const listed = [...lists].flatMap(([, names = "", from]) =>
    namesIn(names).map(({ alias: name }) => ({
      entry,
      name,
      isPassedOn: from !== undefined && !from.startsWith("."),
    })),
  );
  const declared = code.matchAll(/\bexport\s+(?:async\s+)?(?:function\*?|class|const|let)\s+(\w+)/g);
  return [...listed, ...[...declared].map(([, name = ""]) => ({ entry, name, isPassedOn: false }))];
}

/** The members of contexts that are used, each with a small first letter. */
function membersOfContexts(codes: readonly string[]): readonly string[] {
  const contexts = new Set(codes.flatMap((code) => namesBoundTo(`${CONTEXT}\\b`, code)));
  const used = codes.flatMap((code) => {
    const here = [...contexts].filter((name) => bindsOrImports(code, name));
    return here.flatMap((name) => [
      ...[...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map(([, member = ""]) => member),
      ...membersBoundTo(`${name}\\b`, code),
    ]);
  });
  const taken = codes.flatMap((code) => membersBoundTo(`${CONTEXT}\\b`, code));
  return [...used, ...taken].map(firstLower);
}

/** The names in `const name = <what>`. */
function namesBoundTo(what: string, code: string): readonly string[] {
  return [...code.matchAll(new RegExp(`\\b(?:const|let)\\s+(\\w+)[^=;{]*=\\s*${what}`, "g"))].map(
    ([, name = ""]) => name,
  );
}

/** The members in `const { member } = <what>`. */
function membersBoundTo(what: string, code: string): readonly string[] {
  const found = code.matchAll(new RegExp(`\\{([^{}]*)\\}\\s*=\\s*${what}`, "g"));
  return [...found].flatMap(([, names = ""]) => namesIn(names.replaceAll(":", " as ")).map(({ name }) => name));
}

function bindsOrImports(code: string, name: string): boolean {
  return namesBoundTo(`${CONTEXT}\\b`, code).includes(name) || importsOf(code).some(({ alias }) => alias === name);
}

interface Imported {
  readonly from: string;
  readonly name: string;
  /** What it is called here. */
  readonly alias: string;
}

/** The values that a module imports by name; types are none. */
function importsOf(code: string): readonly Imported[] {
  const found = code.matchAll(/\bimport\s+(?!type\b)(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*"([^"]+)"/g);
  return [...found].flatMap(([, names = "", from = ""]) => namesIn(names).map((pair) => ({ from, ...pair })));
}

/** The values in a list such as `a, type B, c as d`. */
function namesIn(list: string): readonly { readonly name: string; readonly alias: string }[] {
  const parts = list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && !/^type\s/.test(part));
  return parts.map((part) => {
    const [name = "", alias = name] = part.split(/\s+as\s+/);
    return { name, alias };
  });
}

function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/^\s*\/\/.*$/gm, "");
}

function firstLower(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

/** What a package's entries export, from their sources. */
function readExports(folder: string): readonly Export[] {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  };
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    const source = typeof target === "string" ? undefined : target["@opstate/source"];
    if (source === undefined) return [];
    return exportsOf(manifest.name + path.slice(1), readFileSync(join(folder, source), "utf8"));
  });
}

function readDemos(): readonly Source[] {
  return readdirSync("apps").flatMap((name) => {
    const folder = join("apps", name, "src");
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.(ts|tsx|svelte)$/.test(file),
    );
    return files.map((file) => ({
      file: join(folder, file).split(sep).join("/"),
      text: readFileSync(join(folder, file), "utf8"),
    }));
  });
}

function main(): number {
  process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
  const exports = BINDINGS.flatMap(readExports);
  const unused = findUnused(exports, readDemos());
  for (const line of unused) console.error(line);
  console.log(`${exports.length} exports of the bindings, ${unused.length} without a user in apps/`);
  return unused.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
