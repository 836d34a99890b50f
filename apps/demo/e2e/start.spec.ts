// The start page leads to every demo, and its command works as it stands.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "./demo.ts";

test("the start page leads to each demo, and each page loads all of its parts", async ({ page, demo }) => {
  const missing: string[] = [];
  page.on("response", (response) => response.status() >= 400 && missing.push(`${response.status()} ${response.url()}`));
  for (const { card, path, sees } of [
    { card: /Open the board/, path: "/react/", sees: page.locator("[data-card-id='T-42']") },
    { card: "The board in Svelte", path: "/svelte/", sees: page.locator("[data-card-id='T-42']") },
    {
      card: /side by side/,
      path: "/both/",
      sees: page.frameLocator("iframe").first().locator("[data-card-id='T-42']"),
    },
    { card: /Open the debate/, path: "/debate/", sees: page.getByRole("heading", { level: 1 }) },
    { card: /Open the inspector/, path: "/agent/", sees: page.getByRole("textbox", { name: "Address of the agent" }) },
  ]) {
    await page.goto(demo.url);
    await page.getByRole("link", { name: card }).click();
    await expect(page).toHaveURL(new RegExp(`${path}(?:\\?.*)?$`));
    await expect(sees.first()).toBeVisible();
  }
  expect(missing).toEqual([]);
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
  const command = await page.getByRole("region", { name: "Command" }).innerText();
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
    expect(policy, path).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy.includes("connect-src 'self' http: https:"), path).toBe(path === "/agent/");
    expect((await request.get(demo.url + path, { headers: { host: "evil.example" } })).status(), path).toBe(403);
  }
});
