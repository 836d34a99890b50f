// The board in React and in Svelte beside each other: one thread, so an edit in one is in the other
// at once.

import { axeOn, inWords } from "../../../tools/axe.ts";
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

const TITLES = ["The board in React", "The board in Svelte"];

for (const width of [1440, 360])
  test(`axe finds nothing on it and in either half, ${width} px wide`, async ({ page, demo }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${demo.url}/both/`);
    const frames = TITLES.map((title) => `iframe[title='${title}']`);
    for (const frame of frames) await expect(page.frameLocator(frame).getByTestId("status")).toContainText("Live");
    // One after the other: beside each other, two equal pages have equal landmarks.
    const parts = [axeOn(page).exclude("iframe"), ...frames.map((frame) => axeOn(page).include([frame, "html"]))];
    for (const part of parts) {
      // On a busy machine axe leaves out a frame that it needs more than a second to get into.
      await expect(async () => {
        const { violations, passes } = await part.analyze();
        expect(passes.length).toBeGreaterThan(0);
        expect(inWords(violations)).toEqual([]);
      }).toPass({ timeout: 60_000 });
    }
  });
