// The board in React and in Svelte beside each other: one thread, so an edit in one is in the other
// at once.

import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./demo.ts";

test("an edit in one is in the other at once, and the agent edits both", async ({ page, demo }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.goto(`${demo.url}/both/`);
  const react = page.frameLocator("iframe[title='The board in React']");
  const svelte = page.frameLocator("iframe[title='The board in Svelte']");
  for (const board of [react, svelte]) await expect(board.getByTestId("status")).toContainText("Live");

  await react.locator("[data-column-id='backlog'] [data-key-target='new-card']").click();
  await react.getByRole("textbox", { name: "Title" }).fill("Written in React");
  await react.getByRole("textbox", { name: "Title" }).press("Enter");
  await expect(svelte.locator("[data-column-id='backlog']")).toContainText("Written in React");

  await svelte.locator("[data-column-id='review'] [data-key-target='new-card']").click();
  await svelte.getByRole("textbox", { name: "Title" }).fill("Written in Svelte");
  await svelte.getByRole("textbox", { name: "Title" }).press("Enter");
  await expect(react.locator("[data-column-id='review']")).toContainText("Written in Svelte");

  // The chat and the board are beside each other in each half.
  await svelte.getByRole("textbox", { name: "Message to the agent" }).fill("Add a card 'Written by the agent' to Done");
  await svelte.getByRole("textbox", { name: "Message to the agent" }).press("Enter");
  await expect(react.locator("[data-column-id='done']")).toContainText("Written by the agent");
  await expect(svelte.locator("[data-column-id='done']")).toContainText("Written by the agent");
});

for (const width of [1440, 360])
  test(`axe finds nothing on it, ${width} px wide`, async ({ page, demo }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${demo.url}/both/`);
    for (const frame of ["React", "Svelte"])
      await expect(page.frameLocator(`iframe[title='The board in ${frame}']`).getByTestId("status")).toContainText(
        "Live",
      );
    // What is in the frames has tests of its own; beside each other, two equal pages have equal
    // landmarks.
    const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`)).toEqual([]);
  });
