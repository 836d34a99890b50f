// The inspector against the demo's own agent, and against the agent that lives in the page.

import { readFileSync } from "node:fs";
import { expect, test } from "./demo.ts";
import { InspectorPage } from "./inspector-page.ts";

test("drives the kanban agent: tool calls with verdicts, the state as a tree, and every event", async ({
  page,
  demo,
}) => {
  const inspector = new InspectorPage(page);
  await inspector.open(demo.url);
  await inspector.say("Move T-42 to In Progress");
  await inspector.finished();
  const call = inspector.conversation.locator("details.call").first();
  await expect(call).toContainText("move");
  await call.click();
  await expect(page.getByRole("region", { name: "Arguments of move" })).toContainText('"cardId": "T-42"');
  await expect(page.getByRole("region", { name: "Result of move" })).toContainText(/accepted/i);
  await inspector.row("/columns/1/cards").click();
  await expect(inspector.tree).toContainText("T-42");
  await expect(inspector.events).toContainText("RUN_FINISHED");
  // The board itself has it.
  await expect
    .poll(async () => (await fetch(`${demo.url}/threads/demo`)).text())
    .toMatch(/"In Progress".*T-42.*"Review"/);
});

test(
  "goes back to any event, with the slider, the list and the keys, and back to now",
  { tag: "@long" },
  async ({ page, demo }) => {
    const inspector = new InspectorPage(page);
    await inspector.open(demo.url);
    await inspector.say("Move T-1 to Done");
    await inspector.finished();
    const count = inspector.row("/columns/3/cardCount");
    await expect(count).toBeVisible();
    const after = Number(/\d+$/.exec(await count.innerText())?.[0]);
    await test.step("an event of the list", async () => {
      await page.getByRole("searchbox").fill("STATE_DELTA");
      await inspector.events.getByRole("option").first().click();
      await expect(inspector.moment).toHaveAttribute("aria-valuetext", /^Event \d+ of \d+: STATE_DELTA$/);
      await expect(count).toContainText(String(after));
      await expect(inspector.events.getByRole("option", { selected: true })).toHaveCount(1);
    });
    await test.step("one event back and forth by key, with what it changed marked", async () => {
      await inspector.events.focus();
      await page.keyboard.press("[");
      await expect(count).toContainText(String(after - 1));
      await page.keyboard.press("]");
      await expect(count).toContainText(String(after));
      // What the event changed is marked, and nothing else.
      await expect(count).toHaveAttribute("data-changed", "true");
      await expect(inspector.row("/columns/3/cards")).toHaveAttribute("data-changed", "true");
      await expect(inspector.row("/columns/2/cards")).not.toHaveAttribute("data-changed");
    });
    await test.step("the first event by the slider", async () => {
      await inspector.moment.fill("1");
      await expect(inspector.conversation.locator("[data-role=user]")).toHaveCount(1);
      await expect(inspector.conversation.locator("details.call")).toHaveCount(0);
      await expect(page.getByRole("textbox", { name: "Message to the agent" })).toHaveCount(0);
    });
    await test.step("back to now", async () => {
      await page.keyboard.press("Escape");
      await expect(inspector.moment).toHaveAttribute("aria-valuetext", /^Now/);
      await expect(inspector.conversation.locator("details.call")).toHaveCount(1);
    });
  },
);

test(
  "a recording leaves as a file and comes back the same, and is replayed to the same states",
  { tag: "@long" },
  async ({ page, demo }) => {
    const inspector = new InspectorPage(page);
    await inspector.open(demo.url, "tour:");
    await inspector.say("Plan a dinner");
    await expect(page.getByRole("form", { name: "The agent asks" })).toBeVisible();
    const said = await inspector.conversation.innerText();
    const length = await inspector.moment.getAttribute("max");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.jsonl$/);
    const text = readFileSync(await file.path(), "utf8");

    await inspector.open(demo.url, "tour:");
    await expect(inspector.conversation.locator("[data-role=user]")).toHaveCount(0);
    const recording = page.getByLabel("Recording to open");
    await recording.setInputFiles({ name: "dinner.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text) });
    await expect(inspector.moment).toHaveAttribute("max", String(length));
    expect(await inspector.conversation.innerText()).toBe(said);
    await expect(inspector.row("/shopping/pumpkin")).toContainText("2");
    const [again] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    expect(readFileSync(await again.path(), "utf8")).toBe(text);

    await recording.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hello") });
    await expect(page.getByRole("alert")).toContainText(
      "notes.txt was not opened. Line 1 of the recording is not JSON.",
    );
    await expect(inspector.moment).toHaveAttribute("max", String(length));
  },
);

test(
  "shows reasoning, activities, steps, custom values, conflicts and warnings",
  { tag: "@long" },
  async ({ page, demo }) => {
    const inspector = new InspectorPage(page);
    await inspector.open(demo.url, "tour:");
    await inspector.say("Plan a dinner");
    await expect(page.getByRole("form", { name: "The agent asks" })).toBeVisible();
    await inspector.conversation.getByText("Reasoning").click();
    await expect(inspector.conversation).toContainText("Four guests, one of them vegetarian.");
    await expect(inspector.conversation.getByText("Activity: PLAN")).toBeVisible();
    await expect(page.getByRole("region", { name: "Content of the activity PLAN" })).toContainText('"risotto"');
    await page.getByText(/^Waiting for you/).click();
    await expect(page.getByText("Step think: finished")).toBeVisible();
    await expect(page.getByText("Subagent shopping list: finished")).toBeVisible();
    await page.getByRole("tab", { name: "Conflicts" }).click();
    await expect(page.getByRole("tabpanel")).toContainText('has no member "wine"');
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("tabpanel")).toContainText("WEATHER_REPORT");
    await page.getByRole("tab", { name: "Custom" }).click();
    await expect(page.getByRole("tree", { name: "Custom values" })).toContainText("estimate");
  },
);

test("a question is answered with a form, which says what is missing", async ({ page, demo }) => {
  const inspector = new InspectorPage(page);
  await inspector.open(demo.url, "tour:");
  await inspector.say("Plan a dinner");
  const form = page.getByRole("form", { name: "The agent asks" });
  await form.getByRole("button", { name: "Send answer" }).click();
  await expect(form.getByRole("alert")).toContainText('"Dessert" needs an answer.');
  await form.getByRole("radio", { name: "Baked pears" }).check();
  await form.getByRole("textbox", { name: "Servings" }).fill("six");
  await form.getByRole("button", { name: "Send answer" }).click();
  await expect(form.getByRole("alert")).toContainText('"Servings" is a number.');
  await form.getByRole("textbox", { name: "Servings" }).fill("6");
  await form.getByRole("button", { name: "Send answer" }).click();
  await expect(inspector.conversation).toContainText("Good: Baked pears, for 6.");
  await expect(inspector.row("/menu/2/dish")).toContainText("Baked pears");
});

test("a run is stopped, and what had come stays", async ({ page, demo }) => {
  const inspector = new InspectorPage(page);
  await inspector.open(demo.url, "tour:");
  await inspector.say("Plan a dinner");
  await expect(inspector.conversation.getByText("Activity: PLAN")).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.getByText(/^Stopped/)).toBeVisible();
  await expect(inspector.conversation.getByText("Activity: PLAN")).toBeVisible();
  await expect(page.getByRole("form", { name: "The agent asks" })).toHaveCount(0);
});

test("the tree is walked with the arrow keys", { tag: "@long" }, async ({ page, demo }) => {
  const inspector = new InspectorPage(page);
  await inspector.open(demo.url, "tour:");
  await inspector.say("Plan a dinner");
  await expect(inspector.row("/shopping/pumpkin")).toBeVisible();
  await inspector.tree.focus();
  for (const key of ["Home", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  await expect(inspector.row("/menu")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowLeft");
  await expect(inspector.row("/menu")).toHaveAttribute("aria-expanded", "false");
  await expect(inspector.row("/menu/0")).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(inspector.row("/menu/0")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("region", { name: "Value of /menu/0" })).toContainText("Pumpkin soup");
});
