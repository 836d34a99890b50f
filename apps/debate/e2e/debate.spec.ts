// The debate, seen to work in a real browser.

import { DebatePage } from "./debate-page.ts";
import { expect, test } from "./server.ts";

test("a whole debate: both sides, the fact check, a question between rounds, tokens and times", async ({
  page,
  server,
}) => {
  const debate = new DebatePage(page);
  await debate.open(server.url);
  await test.step("both sides speak, and the round ends with a question", async () => {
    await debate.button("Tabs or spaces").click();
    await expect(debate.topicField).toHaveValue("Tabs or spaces");
    await debate.start("Should we move to a four-day week?", 2);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Should we move to a four-day week?");
    await expect(debate.pause).toBeVisible();
    await expect(debate.phase).toHaveText("Waiting for you");
    await expect(page).toHaveTitle(/^Your turn: Should we move to a four-day week\?/);
    for (const speaker of ["Optimist", "Skeptic", "Moderator"] as const) {
      await expect(debate.turn(1, speaker)).toHaveAttribute("data-status", "complete");
      await expect(debate.turn(1, speaker)).toContainText(/\d s · \d+ tokens/);
    }
    await expect(debate.turn(1, "Optimist")).toContainText("we should move to a four-day week");
  });

  const check = debate.turn(1, "Skeptic").getByRole("button", { name: "Overstated" });
  await test.step("the fact check is shown in the text", async () => {
    await check.click();
    await expect(debate.turn(1, "Skeptic").getByRole("note")).toContainText("leaves no exceptions");
    await expect(debate.turn(1, "Skeptic").locator("mark[data-shown]")).toHaveCount(1);
  });

  await test.step("the second round ends the debate", async () => {
    await debate.button("Continue with round 2").click();
    await expect(page.getByRole("heading", { name: "The debate is over" })).toBeVisible();
    await expect(debate.phase).toHaveText("Completed");
    await expect(debate.turn(2, "Moderator")).toContainText("After 2 rounds");
    await expect(debate.pause).toHaveCount(0);
    expect(await server.get(debate.id)).toMatchObject({ phase: "completed", state: { round: 2, status: "completed" } });
  });

  await test.step("a reload shows it all", async () => {
    await page.reload();
    await expect(debate.turn(2, "Moderator")).toContainText("After 2 rounds");
    await expect(debate.turn(1, "Skeptic").getByRole("button", { name: "Overstated" })).toBeVisible();
  });
});

test("nothing starts without approval; stop ends the debate", async ({ page, server }) => {
  const debate = new DebatePage(page);
  await debate.open(server.url);
  await debate.start("Zoos", 3);
  await expect(debate.pause).toBeVisible();
  await expect(debate.round(2)).toHaveCount(0);
  await debate.button("Stop the debate").click();
  await expect(page.getByRole("heading", { name: "You stopped the debate after round 1 of 3" })).toBeVisible();
  await expect(debate.round(2)).toHaveCount(0);
  expect(await server.get(debate.id)).toMatchObject({ state: { status: "completed", stopped: true, round: 1 } });
});

test("a word to both is shown, and both answer it", { tag: "@long" }, async ({ page, server }) => {
  const debate = new DebatePage(page);
  await debate.open(server.url);
  await debate.start("Zoos", 2);
  await page.getByLabel("Say something to both first").fill("What about the animals?");
  await debate.button("Say it and continue").click();
  await expect(debate.round(1)).toContainText("You, to both: What about the animals?");
  await expect(debate.turn(2, "Optimist")).toContainText("What about the animals?");
  await expect(debate.turn(2, "Skeptic")).toContainText("What about the animals?");
});

test("kill -9 while it waits: after a restart and a reload it goes on", async ({ page, server }) => {
  const debate = new DebatePage(page);
  await debate.open(server.url);
  await debate.start("Nuclear power", 2);
  await expect(debate.pause).toBeVisible();
  const said = await debate.turn(1, "Skeptic").textContent();
  await server.kill();
  await page.getByLabel("Say something to both first").fill("Remember the waste");
  await debate.button("Say it and continue").click();
  await expect(page.getByRole("alert")).toContainText("The connection to the server is lost");
  await server.start();
  await debate.button("Try again").click();
  await expect(page.getByLabel("Say something to both first")).toHaveValue("Remember the waste");
  await debate.kept();
  await page.reload();
  await expect(page.getByLabel("Say something to both first")).toHaveValue("Remember the waste");
  expect(await debate.turn(1, "Skeptic").textContent()).toBe(said);
  await debate.button("Say it and continue").click();
  await expect(debate.round(1)).toContainText("You, to both: Remember the waste");
  await expect(page.getByRole("heading", { name: "The debate is over" })).toBeVisible();
  await expect(debate.turn(2, "Skeptic")).toHaveAttribute("data-status", "complete");
});

test.describe("in the middle of a round", () => {
  // Slow enough that a busy machine still acts within one turn.
  test.use({ chunkDelay: 60 });

  test(
    "the words come one by one, and pause and go on keep the turns that were finished",
    { tag: "@long" },
    async ({ page, server }) => {
      const debate = new DebatePage(page);
      await debate.open(server.url);
      await debate.start("Nuclear power", 1);
      await test.step("the words come one by one", async () => {
        await expect(debate.turn(1, "Optimist")).toHaveAttribute("data-status", "streaming");
        await expect(debate.turn(1, "Skeptic")).toHaveAttribute("data-status", "streaming");
        await expect(debate.phase).toHaveText("Skeptic speaks");
      });
      await test.step("a pause breaks the turn off", async () => {
        await debate.button("Pause").click();
        await expect(debate.phase).toHaveText("Paused");
        await expect(debate.turn(1, "Skeptic")).toContainText("broken off here");
        await expect.poll(async () => (await server.get(debate.id)).phase).toBe("broken_off");
      });
      const [optimist = ""] = (await debate.turn(1, "Optimist").locator(".turn-text").textContent())?.split(". ") ?? [];
      expect(optimist).toContain("My case is short");
      await test.step("going on keeps the turns that were finished", async () => {
        await debate.button("Go on").click();
        await expect(page.getByRole("heading", { name: "The debate is over" })).toBeVisible();
        await expect(debate.turn(1, "Skeptic")).toHaveAttribute("data-status", "complete");
        await expect(debate.turn(1, "Skeptic")).not.toContainText("broken off here");
        await expect(debate.turn(1, "Optimist").locator(".turn-text")).toContainText(optimist);
      });
    },
  );

  test(
    "kill -9: the page says so, and after a restart the round is finished",
    { tag: "@long" },
    async ({ page, server }) => {
      const debate = new DebatePage(page);
      await debate.open(server.url);
      await debate.start("Nuclear power", 1);
      await expect(debate.turn(1, "Skeptic")).toHaveAttribute("data-status", "streaming");
      await server.kill();
      await expect(page.getByRole("alert")).toContainText("The connection to the server is lost");
      await server.start();
      await debate.button("Try again").click();
      await debate.button("Go on").click();
      await expect(page.getByRole("heading", { name: "The debate is over" })).toBeVisible();
      await expect(debate.turn(1, "Skeptic")).toHaveAttribute("data-status", "complete");
    },
  );

  test("a second window follows, and its answer is used once", { tag: "@long" }, async ({ page, context, server }) => {
    const debate = new DebatePage(page);
    await debate.open(server.url);
    await debate.start("Zoos", 3);
    await expect(debate.turn(1, "Optimist")).toHaveAttribute("data-status", "complete");
    const other = new DebatePage(await context.newPage());
    await other.page.goto(page.url());
    await expect(other.phase).toHaveText("Running in another window");
    await expect(other.pause).toBeVisible();
    await other.button("Stop the debate").click();
    await expect(other.phase).toHaveText("Completed");
    await debate.button("Continue with round 2").click();
    await expect(page.getByRole("alert")).toContainText("This question was answered already");
    await debate.button("Try again").click();
    await expect(debate.phase).toHaveText("Completed");
    expect(await server.get(debate.id)).toMatchObject({ state: { round: 1, stopped: true } });
  });

  test("a reload stops the round, and the page offers to go on", { tag: "@long" }, async ({ page, server }) => {
    const debate = new DebatePage(page);
    await debate.open(server.url);
    await debate.start("Nuclear power", 1);
    await expect(debate.turn(1, "Skeptic")).toHaveAttribute("data-status", "streaming");
    await page.reload();
    await debate.button("Go on").click();
    await expect(page.getByRole("heading", { name: "The debate is over" })).toBeVisible();
  });
});

test("no topic: the form says what is missing, and nothing is sent", async ({ page, server }) => {
  const debate = new DebatePage(page);
  const sent: string[] = [];
  page.on("request", (request) => void (request.method() === "POST" && sent.push(request.url())));
  await debate.open(server.url);
  await debate.topicField.fill("   ");
  await debate.topicField.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Say what they should argue about.");
  await expect(debate.topicField).toBeFocused();
  expect(sent).toEqual([]);
});

test(
  "what was typed is there after a reload, and the next form is empty",
  { tag: "@long" },
  async ({ page, server }) => {
    const debate = new DebatePage(page);
    await debate.open(server.url);
    await debate.topicField.pressSequentially("Tabs or spaces?");
    await page.getByRole("radio", { name: "1", exact: true }).check({ force: true });
    await debate.kept();
    await page.reload();
    await expect(debate.topicField).toHaveValue("Tabs or spaces?");
    await expect(page.getByRole("radio", { name: "1", exact: true })).toBeChecked();
    await test.step("typing goes on where the caret is", async () => {
      await debate.topicField.press("Home");
      await debate.topicField.pressSequentially("Ugh: ");
      await expect(debate.topicField).toHaveValue("Ugh: Tabs or spaces?");
    });
    await debate.button("Start the debate").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ugh: Tabs or spaces?");
    await page.getByRole("link", { name: "New debate" }).click();
    await expect(debate.topicField).toHaveValue("");
    await expect(page).toHaveTitle("Debate · opstate");
  },
);

test("markup in a topic and in a word is text", { tag: "@long" }, async ({ page, server }) => {
  const debate = new DebatePage(page);
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await debate.open(server.url);
  const markup = "<img src=x onerror=alert(1)>";
  await debate.start(markup, 2);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(markup);
  await expect(debate.turn(1, "Optimist")).toContainText(markup);
  await page.getByLabel("Say something to both first").fill(markup);
  await debate.button("Say it and continue").click();
  await expect(debate.turn(2, "Skeptic")).toContainText(markup);
  await expect(page.getByRole("heading", { name: "The debate is over" })).toBeVisible();
  await expect(page.locator("img")).toHaveCount(0);
  expect(dialogs).toEqual([]);
});

test("by keyboard alone, on a phone's width, without sideways scrolling", async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const debate = new DebatePage(page);
  await debate.open(server.url);
  await expect(debate.topicField).toBeFocused();
  await page.keyboard.type("Zoos");
  for (
    let steps = 0;
    steps < 12 &&
    !(await page.getByRole("radio", { name: "3", exact: true }).evaluate((radio) => radio === document.activeElement));
    steps += 1
  )
    await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(debate.pause).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await page.getByLabel("Say something to both first").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "The debate is over" })).toBeVisible();
  expect(await server.get(debate.id)).toMatchObject({ state: { maxRounds: 2 } });
});

test("an address without a debate says so", { tag: "@long" }, async ({ page, server }) => {
  await page.goto(`${server.url}/#/0123456789abcdef`);
  await expect(page.getByRole("heading", { name: "There is no debate at this address" })).toBeVisible();
  await page.getByRole("button", { name: "Start a debate" }).click();
  await expect(page.getByLabel("Topic")).toBeVisible();
});
