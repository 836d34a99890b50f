// Two people on the two pages, an agent, a webhook and a bad network act at random for a while. In
// the end both pages show what the log says, and no page logged an error. OPSTATE_MONKEY_SECONDS
// and OPSTATE_MONKEY_SEED set the duration and the seed.

import { BoardPage } from "../support/board-page.ts";
import { type Act, ACTS, type ActContext } from "./acts.ts";
import { boardOf, type BoardState, replayed, shownBoard } from "./board-state.ts";
import { expect, test } from "../support/server.ts";

const seconds = Number(process.env["OPSTATE_MONKEY_SECONDS"] || 20);
const seed = Number(process.env["OPSTATE_MONKEY_SEED"] || 1);

// Errors that browsers log themselves: requests without a network, and refused ones, which the page
// explains.
const ofTheBrowser = /^Failed to load resource: (?:net::ERR_|the server responded with a status of 409)/;

test.use({ chunkDelay: 10 });

test("both pages end equal to the log, whatever two people, an agent and the network do", async ({
  browser,
  server,
  app,
}) => {
  test.skip(app !== "react", "It has a page of each kind, and runs once.");
  test.setTimeout((seconds + 240) * 1_000);
  const complaints: string[] = [];
  const boards: BoardPage[] = [];
  for (const [user, kind] of [
    ["ada", "react"],
    ["grace", "svelte"],
  ] as const) {
    const context = await browser.newContext({ viewport: { width: 1600, height: 900 } });
    await context.addInitScript((name) => localStorage.setItem("opstate.user", name), user);
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" && !ofTheBrowser.test(message.text()))
        complaints.push(`${kind}: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`${kind}: ${error.stack ?? error.message}`));
    // A page with pending edits asks before it is left.
    page.on("dialog", (dialog) => void dialog.accept());
    const board = new BoardPage(page);
    await board.open(`${server.url}/${kind}/`);
    page.setDefaultTimeout(500);
    boards.push(board);
  }

  const draw = drawer(seed);
  const bag = ACTS.flatMap((act) => Array.from({ length: act.weight }, () => act));
  const counts = new Map<string, { done: number; given: number }>();
  const until = Date.now() + seconds * 1_000;
  while (Date.now() < until) {
    const board = boards[draw(boards.length)] as BoardPage;
    const act = bag[draw(bag.length)] as Act;
    const count = counts.get(act.name) ?? { done: 0, given: 0 };
    counts.set(act.name, count);
    if (await tried(act, { board, server, draw })) count.done += 1;
    else count.given += 1;
  }
  console.log([...counts].map(([name, { done, given }]) => `${name}: ${done} done, ${given} given up`).join("\n"));
  const never = [...counts].filter(([, { done, given }]) => done === 0 && given >= 20).map(([name]) => name);
  expect(never, "acts that no page let happen").toEqual([]);
  expect([...counts.values()].reduce((sum, { done }) => sum + done, 0)).toBeGreaterThan(0);

  for (const { page } of boards) {
    page.setDefaultTimeout(30_000);
    await page.context().setOffline(false);
    await page.mouse.up();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    const connection = page.getByRole("switch", { name: "Connection" });
    if (!(await connection.isChecked())) await connection.click();
  }
  for (const board of boards) {
    await expect(board.page.getByRole("button", { name: "Send", exact: true })).toBeVisible();
    await expect(board.page.getByTestId("status")).toContainText("All edits saved");
  }
  // An aborted run may still be working.
  await expect(async () => {
    const { version, state } = await replayed(server, "demo");
    const served = (await server.get("/threads/demo")) as { version: number; state: BoardState };
    expect(served).toMatchObject({ version, state });
    for (const { page } of boards) {
      expect(await shownBoard(page)).toEqual(boardOf(state));
      await expect(page.getByTestId("status")).toContainText(`Version ${version}`, { timeout: 1 });
    }
    expect(version).toBeGreaterThan(0);
  }).toPass({ timeout: 60_000 });
  expect(complaints).toEqual([]);
});

/** Whether the page let it happen. */
async function tried(act: Act, hand: ActContext): Promise<boolean> {
  try {
    await act.run(hand);
    return true;
  } catch {
    await hand.board.page.mouse.up();
    await hand.board.page.keyboard.press("Escape");
    return false;
  }
}

/** Whole numbers from a seed (mulberry32). */
function drawer(start: number): ActContext["draw"] {
  let state = start >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
