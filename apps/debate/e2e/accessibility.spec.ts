// axe finds nothing on the debate, wide and narrow, light and dark; in the long form but for its
// first page, since each state is looked at four times.

import { expectCleanLooks } from "../../../tools/axe-looks.ts";
import { DebatePage } from "./debate-page.ts";
import { expect, test } from "./server.ts";

test.describe("axe finds nothing", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("where a debate begins, also without a topic", async ({ page, server }) => {
    const debate = new DebatePage(page);
    await debate.open(server.url);
    await expectCleanLooks(page, "the form");
    await debate.button("Start the debate").click();
    await expect(page.getByRole("alert")).toBeVisible();
    await expectCleanLooks(page, "no topic");
  });

  test("in a debate that waits, with its fact check, offline, and over", { tag: "@long" }, async ({ page, server }) => {
    test.slow();
    const debate = new DebatePage(page);
    await debate.open(server.url);
    await debate.start("Should we move to a four-day week?", 2);
    await expect(debate.pause).toBeVisible();
    await expectCleanLooks(page, "a question between rounds");
    await debate.turn(1, "Skeptic").getByRole("button", { name: "Overstated" }).click();
    await expect(debate.turn(1, "Skeptic").getByRole("note")).toBeVisible();
    await expectCleanLooks(page, "a fact check");
    await debate.button("Stop the debate").click();
    await expect(page.getByRole("heading", { name: /^You stopped the debate/ })).toBeVisible();
    await expectCleanLooks(page, "over");
  });

  test("without a server, and at an address without a debate", { tag: "@long" }, async ({ page, server }) => {
    const debate = new DebatePage(page);
    await debate.open(server.url);
    await debate.start("Zoos", 2);
    await expect(debate.pause).toBeVisible();
    await server.kill();
    await debate.button("Continue with round 2").click();
    await expect(page.getByRole("alert").first()).toBeVisible();
    await expectCleanLooks(page, "the server is not reached");
    await server.start();
    await page.goto(`${server.url}/#/0123456789abcdef`);
    await page.reload();
    await expect(page.getByRole("heading", { name: "There is no debate at this address" })).toBeVisible();
    await expectCleanLooks(page, "no such debate");
  });
});
