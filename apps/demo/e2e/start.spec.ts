// The start page leads to every demo, its lines are the repository's, and its commands work as they
// stand.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "./demo.ts";
import { StartPage } from "./start-page.ts";

test("the start page leads to each demo, and each page loads all of its parts", async ({ page, demo }) => {
  const missing: string[] = [];
  page.on("response", (response) => response.status() >= 400 && missing.push(`${response.status()} ${response.url()}`));
  const card = page.locator("[data-card-id='T-42']");
  const frame = page.frameLocator("iframe").first();
  for (const { way, path, sees } of [
    { way: "Your board, in React", path: "/react/", sees: card },
    { way: "Your board, in Svelte", path: "/svelte/", sees: card },
    { way: "The shared board", path: "/react/", sees: card },
    { way: "Side by side", path: "/both/", sees: frame.locator("[data-card-id='T-42']") },
    { way: "Debate", path: "/debate/", sees: page.getByRole("heading", { level: 1 }) },
    { way: "Any AG-UI agent", path: "/agent/", sees: page.getByRole("textbox", { name: "Address of the agent" }) },
  ]) {
    await page.goto(demo.url);
    await page.getByRole("main").getByRole("link", { name: way }).click();
    await expect(page).toHaveURL(new RegExp(`${path}(?:\\?.*)?$`));
    await expect(sees.first()).toBeVisible();
  }
  expect(missing).toEqual([]);
});

test.describe("also where there is no page", () => {
  test.use({ expectedErrors: /404/ });

  test("every page has the same line at the top: the way home, all demos, the docs and the repository", async ({
    page,
    demo,
  }) => {
    for (const path of ["/", "/react/", "/svelte/", "/both/", "/debate/", "/agent/", "/no/such/page"]) {
      await page.goto(demo.url + path);
      const links = page.getByRole("navigation", { name: "Demos and docs" }).getByRole("link");
      await expect(links, path).toHaveText(["Board", "Side by side", "Debate", "Any agent", "Docs", "GitHub"]);
      const to = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      const repository = "https://github.com/opstate/opstate";
      expect(to, path).toEqual([
        ...["react/", "both/", "debate/", "agent/"].map((demoPath) => `${demo.url}/${demoPath}`),
        `${repository}/tree/main/docs`,
        repository,
      ]);
      await page.getByRole("link", { name: "opstate, all demos" }).click();
      await expect(page, path).toHaveURL(`${demo.url}/`);
    }
  });

  test("768 and 360 wide, a button at the top of every page has them, by key too", async ({ page, demo }) => {
    for (const path of ["/", "/react/", "/svelte/", "/both/", "/debate/", "/agent/", "/no/such/page"]) {
      await page.setViewportSize({ width: 768, height: 780 });
      await page.goto(demo.url + path);
      const nav = page.getByRole("navigation", { name: "Demos and docs" });
      const button = page.getByRole("button", { name: "Demos and docs" });
      await expect(button, path).toBeVisible();
      await expect(nav, path).toBeHidden();
      await button.press("Enter");
      await expect(nav.getByRole("link"), path).toHaveCount(6);
      await button.press("Tab");
      await expect(nav.getByRole("link").first(), path).toBeFocused();
      for (const width of [768, 360]) {
        await page.setViewportSize({ width, height: 780 });
        for (const link of await nav.getByRole("link").all()) await expect(link, path).toBeInViewport({ ratio: 1 });
        await expect(button, path).toBeInViewport({ ratio: 1 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
      }
      await page.keyboard.press("Escape");
      await expect(nav, path).toBeHidden();
    }
  });

  test("the demo's 404 page says so, with that status, below every prefix", async ({ page, demo }) => {
    for (const path of ["/no-such-page", "/react/no/such/page", "/debate/nothing", "/agent/missing.html", "/both/x"]) {
      const response = await page.goto(demo.url + path);
      expect(response?.status(), path).toBe(404);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no page here.");
      await expect(page.getByRole("link", { name: "To the demos" })).toBeVisible();
    }
    await page.getByRole("link", { name: "To the demos" }).click();
    await expect(page).toHaveURL(`${demo.url}/`);
  });
});

test("the lines beside each moment are those of the repository", async ({ page, demo }) => {
  const start = new StartPage(page);
  await start.open(demo.url, { patient: true });
  const shown = page.getByRole("region", { name: "The few lines that do this" });
  for (const [title, file] of [
    ["Grab a card while it works", "grab-a-card"],
    ["Take back its run, keep yours", "take-back-its-run"],
    ["Make it ask first", "make-it-ask-first"],
    ["Pull the plug", "pull-the-plug"],
    ["Let it try", "let-it-try"],
  ]) {
    await page.getByRole("button", { name: `Play: ${title}` }).click();
    await expect(page.getByText(`${file}.ts`)).toBeVisible();
    const source = readFileSync(new URL(`../src/page/lines/${file}.ts`, import.meta.url), "utf8");
    const lines = await shown.innerText();
    expect(source).toContain(lines.trim());
    expect(lines).toMatch(/^export /m);
  }
});

test("with all controls hidden, the headings and sentences still name the five moments", async ({ page, demo }) => {
  await new StartPage(page).open(demo.url);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("button, input, a, textarea { display: none !important }");
    document.adoptedStyleSheets = [sheet];
  });
  const moments = page.getByRole("list", { name: "Five moments" }).getByRole("listitem");
  await expect(moments).toHaveCount(5);
  for (const moment of await moments.all()) {
    await expect(moment.getByRole("heading", { level: 2 })).toBeInViewport();
    await expect(moment.locator("p")).toBeInViewport();
  }
});

test("the command for an MCP client opens the visitor's own board to it", async ({ page, demo }) => {
  const start = new StartPage(page);
  await start.open(demo.url);
  const command = await page.getByRole("region", { name: "Command for an MCP client" }).innerText();
  const [, url = "", authorization = ""] = /opstate (\S+)[\s\\]+--header 'Authorization: (.*)'/.exec(command) ?? [];
  const threadId = await page.locator(".door code").first().innerText();
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }),
  );
  const add = (thread: string) =>
    client.callTool({
      name: "board_addCard",
      arguments: { threadId: thread, columnId: "backlog", title: "Sent by an MCP client", priority: 1 },
    });
  expect((await add(threadId)).structuredContent).toMatchObject({ status: "accepted" });
  await expect(start.board.titled("Sent by an MCP client")).toBeVisible();
  // Its token opens no other board.
  expect(JSON.stringify(await add("demo").catch(String))).toContain("needs the right");
  await client.close();
});

test("the command for an AG-UI client lets the demo's agent work on the visitor's own board", async ({
  page,
  demo,
}) => {
  const start = new StartPage(page);
  await start.open(demo.url);
  const command = await page.getByRole("region", { name: "Command for an AG-UI client" }).innerText();
  const { stdout } = await promisify(execFile)("sh", ["-c", command]);
  expect(stdout).toContain("RUN_FINISHED");
  await expect(start.board.titled("Sent over AG-UI")).toBeVisible();
});

test("an address without its slash is led to the one with it", async ({ request, demo }) => {
  for (const path of ["react", "agent"]) {
    const response = await request.get(`${demo.url}/${path}?url=tour:`, { maxRedirects: 0 });
    expect(response.status()).toBe(302);
    expect(response.headers()["location"]).toBe(`/${path}/?url=tour:`);
  }
});

test("the command on the start page adds a card to the board", async ({ page, demo }) => {
  await page.goto(demo.url);
  const command = await page.getByRole("region", { name: "Command", exact: true }).innerText();
  expect(command).toContain(demo.url);
  await promisify(execFile)("sh", ["-c", command]);
  const thread = await (await fetch(`${demo.url}/threads/demo`)).text();
  expect(thread).toContain("Sent by a webhook");
});

test("every page forbids code that is not its own, and other names than this machine's get nothing", async ({
  request,
  demo,
}) => {
  for (const path of ["/", "/react/", "/svelte/", "/both/", "/debate/", "/agent/"]) {
    const policy = (await request.get(demo.url + path)).headers()["content-security-policy"] ?? "";
    const directives = policy.split("; ");
    for (const directive of ["default-src 'none'", "script-src 'self'", "style-src 'self'"])
      expect(directives, path).toContain(directive);
    expect(policy.includes("connect-src 'self' http: https:"), path).toBe(path === "/agent/");
    expect((await request.get(demo.url + path, { headers: { host: "evil.example" } })).status(), path).toBe(403);
  }
});
