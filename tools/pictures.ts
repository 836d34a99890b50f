// The pictures of the README and of a guide, taken from the demo itself: node tools/pictures.ts,
// after a build; `node tools/pictures.ts guide` takes the guide's only.
//
// It starts the demo on a fresh file, plays scenes on the board, and writes docs/assets: the first
// as an animation, what the board looks like after the second, light and dark; and, on another
// fresh file, the note of an undo that asks.

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
/** Wide enough to be read in an animation; and for all four columns. */
const filmSize = { width: 1440, height: 860 };
const stillSize = { width: 1920, height: 1000 };
/** The animation is this wide, in px. */
const animationWidth = 1120;
const framesPerSecond = 8;
/** ms */
const lastStands = 2_000;

mkdirSync(assets, { recursive: true });
if (process.argv[2] !== "guide")
  await onFreshDemo(async (page) => {
    await takeBack(page);
    await askFirst(page);
    await stills(page);
  });
await onFreshDemo(undoAsks);

async function onFreshDemo(play: (page: Page, url: string) => Promise<void>): Promise<void> {
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
    await play(await openBoard(browser, url), url);
  } finally {
    await browser.close();
    demo.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The agent works, a person moves a card meanwhile, and the run is taken back: the person's move
 * stays.
 */
async function takeBack(page: Page): Promise<void> {
  const film = filming(page);
  await say(page, "Move T-1 to In Progress, then T-2 to Review");
  await page.locator("[data-column-id='in-progress'] [data-card-id='T-1']").waitFor();
  await drag(page, "T-38", "in-progress");
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  await film.hold(1_500);
  await page.getByTestId("feed").getByRole("button", { name: "Undo this run" }).click();
  await page.locator("[data-column-id='backlog'] [data-card-id='T-1']").waitFor();
  await film.hold(2_500);
  await film.save(join(assets, "board.webp"));
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
  await page.setViewportSize(stillSize);
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
  await page.setViewportSize(stillSize);
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

async function openBoard(from: Browser, url: string): Promise<Page> {
  const context = await from.newContext({ viewport: filmSize, colorScheme: "light", deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(`${url}/react/`);
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
      await page.waitForTimeout(Math.max(0, 1_000 / framesPerSecond - (performance.now() - at)));
    }
  })();
  return {
    /** Gives a reader time. */
    hold: (milliseconds: number) => page.waitForTimeout(milliseconds),
    async save(path: string): Promise<void> {
      ended.abort();
      await taking;
      const end = performance.now();
      const images = await Promise.all(
        frames.map(({ image }) => sharp(image).resize({ width: animationWidth }).png().toBuffer()),
      );
      // The last one stands for a while before it begins again.
      const delay = frames.map(({ at }, index) => Math.round((frames[index + 1]?.at ?? end + lastStands) - at));
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
