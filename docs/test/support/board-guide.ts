// What the guides "A board in ten minutes" promise, in React and in Svelte alike: their files,
// started as they say, used by two people.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../../tools/free-port.ts";
import { guideImports, guideInstalls, updateGuide, writeGuide } from "./guide.ts";
import { openBrowser, type People, type Person } from "../../../tools/people.ts";
import { type ServedPage, servePage } from "./page.ts";
import { type Program, startProgram } from "./program.ts";

/** The heading above which a reader can stop and has a board. */
export const LAST_SECTION = "4. Undo and history";

/**
 * Registers the tests of one guide, in the order of its sections. `page`: the file of the page's
 * component.
 */
export function boardGuide(name: string, page: string): void {
  let ports: Record<number, number>;
  let folder: string;
  let server: Program;
  let site: ServedPage;
  let people: People;
  let ada: Person;
  let ben: Person;

  const serve = async () => {
    server = startProgram(folder, "server.ts");
    await server.printed(new RegExp(`^Serving http://127\\.0\\.0\\.1:${ports[4310]}$`, "m"));
  };

  beforeAll(async () => {
    ports = { 4310: await freePort(), 5173: await freePort() };
    folder = writeGuide(name, { until: LAST_SECTION, ports });
    await serve();
    site = await servePage(folder, ports[5173]);
    people = await openBrowser();
    [ada, ben] = await Promise.all([people.visit(site.url), people.visit(`${site.url}?user=ben`)]);
    await Promise.all([ada, ben].map(({ page }) => page.getByText("Live").waitFor()));
  });

  afterAll(async () => {
    await people?.close();
    await site?.close();
    await server?.stop();
  });

  it("installs what its code imports", () =>
    expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

  it("shows a card in the other page at once, and counts", async () => {
    await ada.page.getByText("/title: A card needs a title").waitFor();
    await add(ada.page, "Write docs");
    await card(ben.page, "Write docs").waitFor();
    await Promise.all([ada, ben].map(({ page }) => page.getByRole("heading", { name: "1 open" }).waitFor()));
  });

  it("keeps it when the server stops and starts, and the page is loaded again", async () => {
    await server.stop();
    await serve();
    await ada.page.reload();
    await card(ada.page, "Write docs").waitFor();
    await Promise.all([ada, ben].map(({ page }) => page.getByText("Live").waitFor()));
    people.forget(/status of 50\d|ERR_/);
  });

  it("shows a component's new text when its file is saved, and keeps the page as it is", async () => {
    await ada.page.evaluate(() => (document.title = "Not loaded again"));
    const path = join(folder, page);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(" open</h1>", " are open</h1>"));
    await ada.page.getByRole("heading", { name: "1 are open" }).waitFor();
    expect(await ada.page.title()).toBe("Not loaded again");
    writeFileSync(path, text);
    await ada.page.getByRole("heading", { name: "1 open" }).waitFor();
  });

  it("answers a wrong operation with the reason", async () => {
    const answer = await fetch(`http://127.0.0.1:${ports[4310]}/threads/demo/operations`, {
      method: "POST",
      headers: { authorization: "ben", "content-type": "application/json" },
      body: JSON.stringify({ type: "finish", id: "T-9" }),
    });
    expect(await answer.json()).toMatchObject({ accepted: false, rejection: { message: 'No card "T-9"' } });
  });

  it("removes a card again that was one too many when the page was offline, and says why", async () => {
    await add(ada.page, "Ship it");
    await card(ben.page, "Ship it").waitFor();
    await ada.context.setOffline(true);
    await ada.page.getByText("Offline, 0 edits wait").waitFor();
    await add(ada.page, "Mine");
    await card(ada.page, "Mine").waitFor();
    await ada.page.getByText("Offline, 1 edits wait").waitFor();
    await add(ben.page, "Ben's card");
    await ada.context.setOffline(false);
    await ada.page.getByText("Taken back: Three cards are open: finish one first").waitFor();
    await card(ada.page, "Ben's card").waitFor();
    expect(await card(ada.page, "Mine").count()).toBe(0);
    people.forget(/ERR_|status of 4\d\d/);
  });

  it("says before anything is sent that a fourth card is refused, and until when", async () => {
    await ben.page.getByLabel("Title").fill("Fourth");
    await ben.page.getByText("Three cards are open: finish one first").waitFor();
    expect(await button(ben.page, "Add").isDisabled()).toBe(true);
    await card(ada.page, "Ship it").check();
    await ada.page.getByRole("heading", { name: "2 open" }).waitFor();
    await button(ben.page, "Add").click();
    await card(ada.page, "Fourth").waitFor();
  });

  it("undoes one's own last edit, keeps the other's, and redoes it; with the history beside it", async () => {
    // Vite shows the change by itself.
    updateGuide(name, { ports });
    await Promise.all([ada, ben].map(({ page }) => button(page, "Undo").waitFor()));
    const log = ada.page.getByRole("list").getByRole("listitem");
    await expect.poll(async () => (await log.allTextContents()).slice(0, 2)).toEqual(["ben: add", "ada: finish"]);
    await card(ada.page, "Write docs").check();
    await card(ben.page, "Ben's card").check();
    await ada.page.getByRole("heading", { name: "1 open" }).waitFor();
    await button(ada.page, "Undo").click();
    await ben.page.getByRole("heading", { name: "2 open" }).waitFor();
    expect(await card(ben.page, "Write docs").isChecked()).toBe(false);
    expect(await card(ben.page, "Ben's card").isChecked()).toBe(true);
    await expect.poll(async () => (await log.allTextContents())[0]).toBe("ada: $undo");
    await button(ada.page, "Redo").click();
    await ben.page.getByRole("heading", { name: "1 open" }).waitFor();
    expect(await card(ben.page, "Write docs").isChecked()).toBe(true);
  });

  it("undoes nothing that a later edit needs", async () => {
    // Ben's last edit finished a card. Ada fills the board, which she could not have done without.
    for (const title of ["One", "Two"]) await add(ada.page, title);
    await ben.page.getByRole("heading", { name: "3 open" }).waitFor();
    const answer = ben.page.waitForResponse((response) => response.url().endsWith("/undo"));
    await button(ben.page, "Undo").click();
    expect(await (await answer).json()).toMatchObject({ accepted: false });
    expect(await card(ben.page, "Ben's card").isChecked()).toBe(true);
    people.forget(/status of 409/);
  });

  it("prints no error in the pages", () => expect(people.errors).toEqual([]));
}

const card = (page: Page, title: string) => page.getByRole("checkbox", { name: title });
const button = (page: Page, name: string) => page.getByRole("button", { name });

async function add(page: Page, title: string): Promise<void> {
  await page.getByLabel("Title").fill(title);
  await button(page, "Add").click();
}
