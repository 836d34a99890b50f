// The words of texts that people and models read, and the form of examples.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(`${root}/${file}`, "utf8");

function tracked(...patterns: readonly string[]): readonly string[] {
  return execFileSync("git", ["ls-files", ...patterns], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
}

/** The texts in quotes of a source that have several words. */
function texts(source: string): readonly string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const found = code.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  return found.filter((text) => text.includes(" "));
}

// GLOSSARY.md says what to write instead.
const AVOIDED = /\b(?:whoever|somebody|nobody|anybody)\b|(?<!there )\bis no (?:branch|id|offset|option|version)\b/i;

it("no text of a package has a word that the glossary avoids for actors", () => {
  const sources = tracked("packages/*/src/**").filter((file) => /\.(ts|tsx|svelte)$/.test(file));
  const found = sources.flatMap((file) =>
    texts(read(file))
      .filter((text) => AVOIDED.test(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

it.each([
  '`Allowed: ${names.join(", ") || "whoever asks"}`',
  'reject("forbidden", "It is edited by Somebody else.")',
  '`"${id}" is no branch.`',
])("a text with such a word is seen: %s", (source) =>
  expect(texts(source).some((text) => AVOIDED.test(text))).toBe(true),
);

// In an example, `=> void` stands before the call of a promise in a handler, and nowhere else: what
// edits a draft is a block.
const PROMISES = "abort|approve|boards\\.close|decline|dispatch|older|redo|resume|send|submit|undo";
const NEEDLESS_VOID = new RegExp(`=> void (?!(?:${PROMISES})\\()[\\w(["\`]`);

it("no example has a needless `void`", () => {
  const files = tracked("*.md", "examples/**", "packages/*/src/**").filter((file) => /\.(ts|tsx|py|md)$/.test(file));
  expect(files.filter((file) => file.startsWith(".changeset/")).length).toBeGreaterThan(50);
  const found = files.flatMap((file) => {
    const lines = read(file).split("\n");
    const examples = file.startsWith("packages/") && !file.endsWith(".md") ? lines.filter(isComment) : lines;
    return examples.filter((line) => NEEDLESS_VOID.test(line)).map((line) => `${file}: ${line.trim()}`);
  });
  expect(found).toEqual([]);
});

it.each(["apply: (draft) => void (draft.done = true),", "apply: (draft) => void draft.cards.push(card),"])(
  "a needless `void` is seen: %s",
  (line) => expect(line).toMatch(NEEDLESS_VOID),
);

function isComment(line: string): boolean {
  return /^\s*\*/.test(line);
}
