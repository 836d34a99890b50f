// Addresses that work, and addresses that do not: each problem has a message that says what to do.

import { expect, test } from "./demo.ts";
import { InspectorPage } from "./inspector-page.ts";
import { FLOOD, type OtherServer, startOtherServer } from "./other-server.ts";

let other: OtherServer;
test.beforeEach(async () => {
  other = await startOtherServer();
});
test.afterEach(() => other.close());

// The browser itself writes these to the console.
test.use({ expectedErrors: /Failed to load resource|blocked by CORS policy/ });

test("an agent on another origin is shown, and its text stays text", async ({ page, demo }) => {
  const inspector = new InspectorPage(page);
  await inspector.open(demo.url);
  await inspector.connect(`${other.url}/agent`);
  await expect(page).toHaveURL(new RegExp(encodeURIComponent(`${other.url}/agent`)));
  await inspector.say("Hello");
  await expect(inspector.conversation).toContainText('<img src="x" onerror=');
  await expect(inspector.conversation.locator("img")).toHaveCount(0);
  await expect(page).toHaveTitle("Any AG-UI agent · opstate");
});

for (const { what, path, title, advice } of [
  {
    what: "a server that does not let the page in",
    path: "/closed",
    title: "does not let this page in (CORS)",
    advice: "allow the origin",
  },
  { what: "a web page", path: "/page", title: "does not speak AG-UI", advice: "the address that runs are posted to" },
  { what: "a path without an agent", path: "/missing", title: "no agent at this address", advice: "Check the path" },
  { what: "a stream that is cut", path: "/cut", title: "stopped in the middle", advice: "RUN_FINISHED" },
]) {
  test(`says what is wrong with ${what}`, async ({ page, demo }) => {
    const inspector = new InspectorPage(page);
    await inspector.open(demo.url, other.url + path);
    await inspector.say("Hello");
    const alert = inspector.conversation.getByRole("alert");
    await expect(alert).toContainText(title);
    await expect(alert).toContainText(advice);
    await expect(page.getByRole("button", { name: "Send", exact: true })).toBeVisible();
  });
}

test("says that nothing answers, and goes on once something does", { tag: "@long" }, async ({ page, demo }) => {
  const inspector = new InspectorPage(page);
  const url = `${other.url}/agent`;
  await other.close();
  await inspector.open(demo.url, url);
  await inspector.say("Hello");
  await expect(inspector.conversation.getByRole("alert")).toContainText("This address cannot be reached.");
  await expect(inspector.conversation.getByRole("alert")).toContainText(url);
  other = await startOtherServer();
  await inspector.connect(`${other.url}/agent`);
  await inspector.say("Hello again");
  await expect(inspector.conversation).toContainText("from elsewhere");
  await expect(inspector.conversation.getByRole("alert")).toHaveCount(0);
});

test("says at once what is no address", async ({ page, demo }) => {
  const inspector = new InspectorPage(page);
  await inspector.open(demo.url, "javascript:alert(1)");
  await expect(page.getByRole("alert")).toContainText("is not an address");
  await inspector.connect("ftp://example.com/agent");
  await expect(page.getByRole("alert")).toContainText("over http or https, not over ftp");
  await inspector.connect("tour:");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Address of the agent" })).toBeFocused();
});

test(
  "of twenty thousand events only those in sight are in the page, and the last is one key away",
  { tag: "@long" },
  async ({ page, demo }) => {
    const inspector = new InspectorPage(page);
    await inspector.open(demo.url, `${other.url}/flood`);
    await inspector.say("Everything");
    const all = FLOOD + 6;
    await expect(inspector.moment).toHaveAttribute("max", String(all));
    expect(await inspector.events.getByRole("option").count()).toBeLessThan(100);
    await expect(inspector.events).toContainText("RUN_FINISHED");
    await inspector.events.focus();
    await page.keyboard.press("Home");
    await expect(inspector.events.getByRole("option", { selected: true })).toContainText("SENT");
    await inspector.moment.fill(String(FLOOD / 2));
    // One message and four events came before the first of them.
    await expect(inspector.row("/count")).toContainText(String(FLOOD / 2 - 6));
  },
);
