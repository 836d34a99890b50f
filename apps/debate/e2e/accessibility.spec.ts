// axe finds nothing in any state of the debate, wide and narrow, light and dark. In the long form.

import { expectCleanLooks } from "../../../tools/axe-looks.ts";
import { DebatePage } from "./debate-page.ts";
import { expect, test } from "./server.ts";

test("axe finds nothing: before, in between, with a fact check, over", { tag: "@long" }, async ({ page, server }) => {
  test.slow();
  const debate = new DebatePage(page);
  await debate.open(server.url);
  await expectCleanLooks(page, "no debate");
  await debate.start("Should we move to a four-day week?", 2);
  await expect(debate.pause).toBeVisible();
  await expectCleanLooks(page, "a pause");
  await debate.turn(1, "Skeptic").getByRole("button", { name: "Overstated" }).click();
  await expectCleanLooks(page, "a fact check");
  await debate.button("Stop the debate").click();
  await expect(page.getByRole("heading", { name: /^You stopped the debate/ })).toBeVisible();
  await expectCleanLooks(page, "over");
});
