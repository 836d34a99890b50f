// Each piece of knowledge has one place in the sources: what spells it elsewhere is found here.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sources = execFileSync("git", ["ls-files", "packages/*/src/**", "apps/*/src/**"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => /\.(ts|tsx|svelte)$/.test(file))
  .map((file) => ({ file, code: withoutComments(readFileSync(`${root}/${file}`, "utf8")) }));

const CORE = "packages/core/src";

it.each([
  [
    "the types of opstate's own entries",
    /["'`]\$(undo|propose|approve|decline|merge|migrate|redact)\b/,
    "thread/entries.ts",
  ],
  ["a reserved key", /= "__proto__"|\("__proto__"|, "__proto__"\)/, "json/reserved-keys.ts"],
  ["random ids", /\brandomUUID\(|\bgetRandomValues\(/, "thread/random-id.ts"],
  ["who the same actor is", /(\w+)\.kind === (\w+)\.kind && \1\.id === \2\.id/, "engine/actor.ts"],
  [
    "what an object is",
    /isContainer\(\w+\) && !Array\.isArray|=== "object" && \w+ !== null && !Array\.isArray/,
    "json/container.ts",
  ],
  ["which hosts are this machine", /\\\[::1\\\]/, "host-guard.ts"],
  [
    "the text that an actor is found by",
    /JSON\.stringify\(\[(\w+\.)*kind, (\w+\.)*\w*[iI]d(, id)?\]\)/,
    "thread/log/receipt-key.ts",
  ],
  ["how long an id may be", /\bID_LIMIT = 200\b|1 to 200|\{1,200\}\$\/u/, "thread/id.ts"],
  ["how a text becomes data for a model", /u003c/, "packages/agent/src/verdict/as-data.ts"],
  ["how many ids a list may have", /\bIDS?_(LIST_)?LIMIT = 10_000/, "thread/id.ts"],
])("%s is said in one place", (_, pattern, place) => {
  const saying = sources.filter(({ code }) => pattern.test(code)).map(({ file }) => file);
  expect(saying).toEqual([place.startsWith("packages/") ? place : `${CORE}/${place}`]);
});

it("an operation of which only the type matters is an `AnyOperation`", () => {
  expect(sources.filter(({ code }) => code.includes("{ readonly type: string }")).map(({ file }) => file)).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
}
