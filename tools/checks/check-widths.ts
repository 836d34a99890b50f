// Holds the sources to 120 columns of code and 100 of comment; URLs and literals aside.
//
// The formatter wraps code, but leaves comments and whatever it cannot break as they are.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const CODE = 120;
const COMMENT = 100;
const COMMENT_LINE = /^\s*(\/\/|\/\*|\*)/;
const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?![/*])(?:[^/\\\n]|\\.)+\/[dgimsuvy]*/g;
const URL_IN_TEXT = /https?:\/\/\S+/g;

/** The lines of a text that are too wide, as "line N: columns". */
export function findWide(text: string): readonly string[] {
  let template = false;
  let example = false;
  return text.split("\n").flatMap((line, index) => {
    const inside = template;
    if (oddBackticks(line)) template = !template;
    // The lines of a template are a literal.
    if (inside || template) return [];
    if (/^\s*\*\s*```/.test(line)) example = !example;
    // The code of an example is code.
    const isComment = COMMENT_LINE.test(line) && !example;
    const bare = isComment ? line.replaceAll(URL_IN_TEXT, "") : line.replaceAll(LITERAL, '""');
    const limit = isComment ? COMMENT : CODE;
    return bare.length > limit ? [`line ${index + 1}: ${line.length} columns, ${limit} at most`] : [];
  });
}

function oddBackticks(line: string): boolean {
  return !COMMENT_LINE.test(line) && (line.replaceAll(/\\./g, "").split("`").length - 1) % 2 === 1;
}

function main(): number {
  process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
  const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mts", "*.mjs", "*.svelte", "*.css"], {
    encoding: "utf8",
  });
  const wide = files
    .trim()
    .split("\n")
    .flatMap((file) => findWide(readFileSync(file, "utf8")).map((where) => `${file} ${where}`));
  for (const where of wide) console.error(where);
  console.log(`${wide.length} lines too wide`);
  return wide.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
