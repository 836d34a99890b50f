// A browser's own WebSocket to a thread at the edge: a page of the same origin is let in and gets
// the edits of others, and one of another origin is refused at the upgrade.

import type { Page } from "playwright/test";
import { expect, test } from "../support/server.ts";

/** What comes on a socket that the page opens; its end is the last of it. */
async function listen(page: Page, address: string): Promise<() => Promise<readonly string[]>> {
  await page.evaluate((url) => {
    const got: string[] = [];
    Object.assign(globalThis, { got });
    const socket = new WebSocket(url);
    const first = {
      call: 0,
      path: "/events",
      headers: { "x-opstate-user": "ada" },
      body: { threads: { demo: {} } },
    };
    socket.addEventListener("open", () => socket.send(JSON.stringify(first)));
    socket.addEventListener("message", ({ data }) => got.push(String(data)));
    socket.addEventListener("close", () => got.push("closed"));
  }, address);
  return () => page.evaluate(() => (globalThis as unknown as { readonly got: readonly string[] }).got);
}

const addressOf = (url: string) => `${url.replace(/^http/, "ws")}/threads/demo/socket`;

test("a page has the thread, and what others edit, on its socket", async ({ page, server }) => {
  await page.goto(server.page);
  const got = await listen(page, addressOf(server.url));
  await expect.poll(async () => (await got()).join("")).toContain('"type":"snapshot"');
  await server.edit({ type: "move", cardId: "T-2", toColumn: "in-progress" }, "grace");
  await expect.poll(async () => (await got()).join("")).toContain('"toColumn":"in-progress"');
  expect(await got()).not.toContain("closed");
});

test("a page of another origin is refused", async ({ page, server }) => {
  // The same machine by another name is another origin.
  await page.goto(server.url.replace("127.0.0.1", "localhost"));
  const got = await listen(page, addressOf(server.url));
  await expect.poll(got).toEqual(["closed"]);
});
