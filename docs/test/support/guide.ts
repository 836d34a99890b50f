// The code of a guide, as a reader copies it: every block with a file name (```ts board.ts) is that
// file; other blocks are shown only.
//
// A file that is shown again further down replaces what it was before, as it does at the reader's
// desk, and a block of changes (```diff board.ts) changes it; `until` stops above a heading.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const docs = join(import.meta.dirname, "../..");
// Ignored by git, as the other examples of this repository are.
const scratch = join(docs, "test", ".examples");

export interface GuideOptions {
  /** The heading above which to stop, without its #. */
  readonly until?: string;
  /** The folder's name; default the guide's. */
  readonly folder?: string;
  /** Ports of the guide, and those to use instead: `{ 4310: await freePort() }`. */
  readonly ports?: Readonly<Record<number, number>>;
}

/** The files of `docs/<name>.md`, by name. */
export function guideFiles(name: string, { until, ports = {} }: GuideOptions = {}): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const { kind, file, text } of guideBlocks(name, until))
    files[file] = kind === "diff" ? changed(files[file] ?? "", text) : text;
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [file, onPorts(text, ports)]));
}

interface GuideBlock {
  readonly kind: string;
  readonly file: string;
  readonly text: string;
}

/** The blocks of a guide that are a file, or change one, in their order. */
export function guideBlocks(name: string, until?: string): readonly GuideBlock[] {
  const blocks = readGuide(name, until).matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```/gm);
  return [...blocks].map(([, kind = "", file = "", text = ""]) => ({ kind, file, text }));
}

/** A file after the changes of a block, whose parts are separated by a line of `@@`. */
function changed(file: string, changes: string): string {
  return changes.split(/^@@\n/m).reduce((text, part) => {
    const lines = part.split("\n").slice(0, -1);
    const side = (left: string) =>
      lines.flatMap((line) => (line.startsWith(left) ? [] : [`${line.slice(1)}\n`])).join("");
    const [before, after] = [side("+"), side("-")];
    if (text.split(before).length !== 2) throw new Error(`These lines must be in the file once:\n${before}`);
    return text.replace(before, () => after);
  }, file);
}

/**
 * Writes a guide's files into a folder of their own, from which the workspace's packages resolve,
 * and gives its path.
 */
export function writeGuide(name: string, options: GuideOptions = {}): string {
  rmSync(join(scratch, options.folder ?? name), { recursive: true, force: true });
  return updateGuide(name, options);
}

/** The same into the folder as it is: what a later section changes. */
export function updateGuide(name: string, options: GuideOptions = {}): string {
  const folder = join(scratch, options.folder ?? name);
  for (const [file, text] of Object.entries(guideFiles(name, options))) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    // What is as it was is not touched: a page that is served would load again.
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
  return folder;
}

/** The packages that a guide's `npm install` lines name, without versions. */
export function guideInstalls(name: string): readonly string[] {
  const lines = [...readGuide(name).matchAll(/^npm install (.+)$/gm)];
  const words = lines.flatMap(([, rest = ""]) => rest.replace(/#.*/, "").trim().split(/\s+/));
  return words.filter((word) => !word.startsWith("-")).map((word) => word.replace(/(?<=.)@.*$/, ""));
}

/** The packages that a guide's code imports, types included; Node's own are left out. */
export function guideImports(name: string): readonly string[] {
  const code = Object.values(guideFiles(name)).join("\n");
  const specifiers = [
    ...code.matchAll(/^\s*(?:(?:import|export)\b[^;"'=]*\bfrom\s*|import\s*\(?)["']([^"'\n]+)["']/gm),
  ].map(([, specifier = ""]) => specifier);
  const bare = specifiers.filter((specifier) => !/^(?:[./]|node:)/.test(specifier));
  return [...new Set(bare.map((specifier) => (/^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [specifier])[0]))];
}

function readGuide(name: string, until?: string): string {
  const text = readFileSync(join(docs, `${name}.md`), "utf8");
  if (until === undefined) return text;
  const end = new RegExp(`^#+ ${until}$`, "m").exec(text)?.index;
  if (end === undefined) throw new Error(`docs/${name}.md has no heading "${until}".`);
  return text.slice(0, end);
}

function onPorts(text: string, ports: Readonly<Record<number, number>>): string {
  return Object.entries(ports).reduce(
    (changed, [from, to]) => changed.replaceAll(new RegExp(`\\b${from}\\b`, "g"), String(to)),
    text,
  );
}
