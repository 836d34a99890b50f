// The pictures of the README and of a guide, taken from the demo itself: node tools/pictures.ts,
// after a build; `node tools/pictures.ts guide` takes the guide's only.
//
// It starts the demo on a fresh file, plays scenes, and writes docs/assets: the first moment of the
// start page as an animation; what the board looks like when the agent asks first, light and dark;
// and, on another fresh file, the note of an undo that asks.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright";
import sharp from "sharp";
import { launchOptions } from "./browser.mjs";
import { freePort } from "./free-port.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const assets = join(root, "docs/assets");
/** Little wider than a README shows it, so that its words are read there. */
const FILM_SIZE = { width: 1024, height: 960 };
/** Wide enough for the log beside the board. */
const BOARD_SIZE = { width: 1920, height: 1000 };
const FRAMES_PER_SECOND = 8;
/** ms */
const LAST_PICTURE_MS = 5_000;
/** A frame stands so long at most, however slow the machine is that takes them. ms */
const LONGEST_PICTURE_MS = 900;

mkdirSync(assets, { recursive: true });
if (process.argv[2] !== "guide")
  await onFreshDemo(async (browser, url) => {
    await grabACard(browser, url);
    const page = await openBoard(browser, url);
    await askFirst(page);
    await stills(page);
  });
await onFreshDemo(async (browser, url) => undoAsks(await openBoard(browser, url), url));

async function onFreshDemo(play: (browser: Browser, url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "opstate-pictures-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const demo = spawn(process.execPath, [join(root, "apps/demo/src/main.ts")], {
    env: {
      ...process.env,
      PORT: String(port),
      OPSTATE_DATA: join(folder, "demo.sqlite"),
      OPSTATE_OFFLINE_DELAY: "30",
      OPSTATE_MODEL: "",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const browser = await chromium.launch(launchOptions());
  try {
    await demoIsUp(demo, url);
    await play(browser, url);
  } finally {
    await browser.close();
    demo.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first moment: a person moves a card while the agent works, and it says so. */
async function grabACard(from: Browser, url: string): Promise<void> {
  const page = await openPage(from, url, FILM_SIZE);
  const now = page.getByTestId("now");
  const isNow = (state: string) => page.locator(`[data-testid=now][data-state=${state}]`).waitFor({ timeout: 120_000 });
  // No hand but the one of this film.
  await page.getByRole("checkbox", { name: /^Wait for me/ }).check();
  await page.getByRole("button", { name: /^Next: / }).click();
  const film = filming(page);
  await isNow("waiting");
  await film.hold(1_500);
  await drag(page, "T-3", "in-progress");
  await isNow("still");
  if (!(await now.innerText()).includes("Meanwhile")) throw new Error("The moment does not say what was moved.");
  await film.hold(1_000);
  await film.save(join(assets, "grab-a-card.webp"));
  await page.close();
}

/** What the agent wants waits for a yes, as a list and as ghosts on the board. */
async function askFirst(page: Page): Promise<void> {
  await page.getByText("Ask me first", { exact: true }).click();
  await say(page, "Move T-42 to In Progress, move T-3 to Review, remove T-15");
  await page.getByRole("tab", { name: "Proposals" }).click();
  await page.getByRole("button", { name: "Accept all (3)" }).waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message to the agent" }).pressSequentially(text, { delay: 35 });
  await page.keyboard.press("Enter");
}

async function stills(page: Page): Promise<void> {
  await page.mouse.move(5, 5);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const image = await page.screenshot({ animations: "disabled" });
    await sharp(image)
      .webp({ quality: 86, effort: 6 })
      .toFile(join(assets, `ask-first-${colorScheme}.webp`));
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** A run is to be taken back, and without it a person's edit would change another card. */
async function undoAsks(page: Page, url: string): Promise<void> {
  const titled = (title: string) => page.locator("[data-card-id]").filter({ hasText: title });
  await say(page, "Build a board for launching a website");
  await page.getByRole("tab", { name: "Proposals" }).click();
  await page.getByRole("button", { name: "Accept all (1)" }).click();
  const card = titled("Register the domain");
  await card.waitFor();
  const cardId = (await card.getAttribute("data-card-id")) ?? "";
  await fetch(`${url}/threads/demo/operations`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-opstate-user": "grace" },
    body: JSON.stringify({ type: "editCard", cardId, title: "Buy the domain" }),
  });
  await titled("Buy the domain").waitFor();
  await page.getByRole("tab", { name: "Timeline" }).click();
  await page.getByRole("button", { name: "Undo this run" }).first().click();
  const note = page.getByTestId("obstacle");
  await note.waitFor();
  await page.mouse.move(5, 5);
  const run = await page.locator("[data-run]").filter({ has: note }).boundingBox();
  const box = await note.boundingBox();
  if (run === null || box === null) throw new Error("The note is not shown.");
  const clip = { x: run.x - 12, y: run.y - 12, width: run.width + 24, height: box.y + box.height + 24 - run.y };
  await sharp(await page.screenshot({ animations: "disabled", clip }))
    .webp({ quality: 86, effort: 6 })
    .toFile(join(assets, "what-undo-asks.webp"));
}

function openBoard(from: Browser, url: string): Promise<Page> {
  return openPage(from, `${url}/react/`, BOARD_SIZE);
}

async function openPage(from: Browser, address: string, viewport: typeof FILM_SIZE): Promise<Page> {
  const context = await from.newContext({ viewport, colorScheme: "light", deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByTestId("status").getByText("Live").waitFor();
  return page;
}

/**
 * Takes a picture of the page again and again, each shown for as long as the page looked like that.
 */
function filming(page: Page) {
  const frames: { readonly image: Buffer; readonly at: number }[] = [];
  const ended = new AbortController();
  const taking = (async () => {
    while (!ended.signal.aborted) {
      const at = performance.now();
      const taken = await page.screenshot({ scale: "css" }).catch(() => undefined);
      // The page is gone: why, the scene says.
      if (taken === undefined) return;
      if (!frames.at(-1)?.image.equals(taken)) frames.push({ image: taken, at });
      await page.waitForTimeout(Math.max(0, 1_000 / FRAMES_PER_SECOND - (performance.now() - at)));
    }
  })();
  return {
    /** Gives a reader time. */
    hold: (milliseconds: number) => page.waitForTimeout(milliseconds),
    async save(path: string): Promise<void> {
      ended.abort();
      await taking;
      const images = frames.map(({ image }) => image);
      // The last one stands for a while before it begins again.
      const delay = frames.map(({ at }, index) => {
        const next = frames[index + 1]?.at;
        return next === undefined ? LAST_PICTURE_MS : Math.min(LONGEST_PICTURE_MS, Math.round(next - at));
      });
      await sharp(images, { join: { animated: true } })
        .webp({ quality: 80, effort: 6, loop: 0, delay })
        .toFile(path);
    },
  };
}

async function drag(page: Page, cardId: string, columnId: string): Promise<void> {
  await page.locator(`[data-card-id="${cardId}"]`).hover();
  await page.mouse.down();
  const to = await page.locator(`[data-column-id="${columnId}"] [data-cards]`).boundingBox();
  if (to === null) throw new Error(`The column ${columnId} is not shown.`);
  await page.mouse.move(to.x + to.width / 2, to.y + 24, { steps: 12 });
  await page.mouse.up();
}

async function demoIsUp(demo: ChildProcess, url: string): Promise<void> {
  while ((await fetch(`${url}/api/info`).catch(() => undefined))?.ok !== true) {
    if (demo.exitCode !== null) throw new Error("The demo did not start.");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
