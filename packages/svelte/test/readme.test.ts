// The README's example is the one that runs here.

import { render } from "vitest-browser-svelte";
import { expect, test } from "vitest";
import readme from "../README.md?raw";
import definition from "./readme/counter.ts?raw";
import Counter from "./readme/counter.svelte";
import component from "./readme/counter.svelte?raw";

const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map((match) => match[1]);

test("the example is what runs here, and is told by line 40", () => {
  expect(blocks("ts")[0]).toBe(`// counter.ts\n${definition}`);
  expect(blocks("svelte")[0]).toBe(component);
  expect(readme.slice(0, readme.indexOf(component) + component.length).split("\n").length).toBeLessThanOrEqual(41);
});

test("counts to three, then says why not further", async () => {
  const screen = await render(Counter);
  const button = screen.getByRole("button");
  for (const count of ["1", "2", "3"]) {
    await button.click();
    await expect.element(button).toHaveTextContent(count);
  }
  await expect.element(button).toBeDisabled();
  await expect.element(button).toHaveAttribute("title", expect.stringContaining("3"));
});
