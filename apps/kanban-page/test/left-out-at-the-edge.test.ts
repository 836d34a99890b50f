// The list of end-to-end tests that do not run against the Worker names tests that are there.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LEFT_OUT, LEFT_OUT_TITLES } from "../e2e/edge/left-out.ts";

const sourceOf = (file: string) => readFileSync(new URL(`../e2e/${file}`, import.meta.url), "utf8");

it.each(LEFT_OUT.map(({ file, title = "(all)" }) => [file, title]))("%s has what is left out: %s", (file, title) => {
  const tests = sourceOf(file).matchAll(/\btest\(\s*"([^"]+)"/g);
  const titles = Array.from(tests, ([, found]) => found);
  expect(titles.length).toBeGreaterThan(0);
  if (title !== "(all)") expect(titles).toContain(title);
});

it("is compared with the file and the title, as the test runner writes them", () => {
  for (const { file, title } of LEFT_OUT) {
    if (title === undefined) continue;
    const [ofAll, ofAnotherFile] = [`edge ${file} ${title} @long`, `edge other.spec.ts ${title}`];
    expect(LEFT_OUT_TITLES.some((pattern) => pattern.test(ofAll))).toBe(true);
    expect(LEFT_OUT_TITLES.some((pattern) => pattern.test(ofAnotherFile))).toBe(false);
  }
});
