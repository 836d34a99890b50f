// The README's example is the one that runs here.

import { render } from "vitest-browser-svelte";
import { expect, test } from "vitest";
import Within from "../components/within.svelte";
import readme from "../../README.md?raw";
import definition from "./counter.ts?raw";
import Counter from "./counter.svelte";
import component from "./counter.svelte?raw";
import Log from "./log.svelte";
import log from "./log.svelte?raw";
import { shelfContext } from "./shelf-context.ts";
import { openPage, shelf } from "../support/shelf.ts";

const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map((match) => match[1]);

test("the example is the file that runs here, and ends by line 45", () => {
  expect(blocks("ts")[0]).toBe(`// counter.ts\n${definition}`);
  expect(blocks("svelte")[0]).toBe(component);
  expect(readme.slice(0, readme.indexOf(component) + component.length).split("\n").length).toBeLessThanOrEqual(46);
});

test("counts to three, then shows why it counts no further", async () => {
  const screen = await render(Counter);
  const button = screen.getByRole("button");
  for (const count of ["1", "2", "3"]) {
    await button.click();
    await expect.element(button).toHaveTextContent(count);
  }
  await expect.element(button).toBeDisabled();
  await expect.element(button).toHaveAttribute("title", expect.stringContaining("3"));
});

test("the example of a log is the file that runs here: it shows who did what, and undoes and redoes", async () => {
  expect(blocks("svelte")).toContain(log);
  const { thread, page } = await openPage();
  const setting = { thread: page };
  const screen = await render(Within, { agentContext: shelfContext, setting, part: Log });
  await page.dispatch(shelf.op.rename({ title: "Mine" }));
  await expect.element(screen.getByText("ada: rename")).toBeVisible();
  await screen.getByRole("button", { name: "Undo rename" }).click();
  await expect.poll(() => page.getState().title).toBe("Shelf");
  await thread.propose(shelf.op.rename({ title: "Proposed" }), { actor: { kind: "agent", id: "planner" } });
  await screen.getByRole("button", { name: "Decline" }).click();
  await expect.element(screen.getByText("ada: $decline")).toBeVisible();
  expect(page.getState().title).toBe("Shelf");
});
