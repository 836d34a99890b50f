// README and JSDoc examples as tests: every ```ts block becomes a module that runs, and
// `expression; // value` in it an assertion.
//
// The blocks of a README run as one module, in order; each `@example` runs alone. ```tsx and ```sh
// blocks are shown only.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

interface Example {
  readonly name: string;
  readonly code: string;
}

/**
 * Runs the examples of a package's README and of its sources. `folder` is the package's, and holds
 * the modules while they run.
 */
export function testExamples(folder: string, options: { readonly readmes?: readonly string[] } = {}): void {
  const scratch = join(folder, "test", ".examples");
  const readmes = (options.readmes ?? [join(folder, "README.md")]).map(readReadme);
  const examples = [...readmes, ...readSources(join(folder, "src"))].filter((example) => example.code !== "");
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  describe("examples", () => {
    it.each(examples.map((example, index) => [example.name, example.code, index] as const))(
      "%s",
      async (_, code, index) => {
        const file = join(scratch, `example-${index}.ts`);
        writeFileSync(file, asserted(code));
        await import(/* @vite-ignore */ file);
      },
    );
    it("are there", () => expect(examples.length).toBeGreaterThan(0));
  });
}

function readReadme(path: string): Example {
  const blocks = [...readFileSync(path, "utf8").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? "");
  return { name: path.split("/").slice(-2).join("/"), code: blocks.join("\n") };
}

function readSources(folder: string): Example[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  return files.sort().flatMap((file) => {
    const blocks = [
      ...readFileSync(join(folder, file), "utf8").matchAll(/^ *\* @example\n *\* ```ts\n([\s\S]*?)^ *\* ```/gm),
    ];
    return blocks.map((match, index) => ({
      name: `${file} ${index + 1}`,
      code: (match[1] ?? "").replaceAll(/^ *\* ?/gm, ""),
    }));
  });
}

/** `expression; // value` becomes an assertion when the comment is a JavaScript value. */
function asserted(code: string): string {
  const lines = code.split("\n").map((line) => {
    const match = /^(?!\s*(?:const|let|import|export|return|if|for|\/\/))(\S.*?); \/\/ (.+)$/.exec(line);
    return match && isValue(match[2] ?? "") ? `expect(${match[1]}).toEqual(${match[2]});` : line;
  });
  return `import { expect } from "vitest";\n${lines.join("\n")}\n`;
}

function isValue(text: string): boolean {
  return /^(?:[[{'"\d-]|true$|false$|null$|undefined$)/.test(text);
}
