// Rounds by seed: a run of many steps, and in the middle of it the page is reloaded, every window
// is closed for a while, the network is lost, or the server is killed. The conversation ends as
// that of a run which nothing disturbed, and each call has one effect.
//
// As a script: OPSTATE_SURVIVE_ROUNDS=200 OPSTATE_SURVIVE_SEED=1 playwright test survive-rounds

import type { BrowserContext } from "playwright/test";
import { randomOf } from "../../../../packages/core/test/simulation/random.ts";
import { movesIn } from "../support/agent-moves.ts";
import { BoardPage } from "../support/board-page.ts";
import { closeWindow } from "../support/closed-window.ts";
import { type DemoServer, expect, test } from "../support/server.ts";

const ROUNDS = Number(process.env["OPSTATE_SURVIVE_ROUNDS"] ?? 5);
const SEED = Number(process.env["OPSTATE_SURVIVE_SEED"] ?? 1);
/** Milliseconds without any window; a script takes its time. */
const AWAY = ROUNDS > 5 ? 10_000 : 1_000;
/** The columns that each of four cards goes through: twenty calls. */
const WAY = ["In Progress", "Review", "Done", "Backlog", "Review"];
const MOVES = WAY.flatMap((column) => ["T-1", "T-2", "T-3", "T-38"].map((card) => ({ card, column })));
const CARDS = MOVES.map(({ card }) => card);
const QUESTION = MOVES.map(({ card, column }) => `move ${card} to ${column}`).join(", then ");
const KINDS = ["reload", "close", "offline", "kill"] as const;

test.use({ chunkDelay: 4, kills: true });
test.describe.configure({ mode: "serial" });

/** What is shown in the end: who says what, and what came of each call. */
type Shown = readonly string[];

let undisturbed: Shown | undefined;

test("a run of twenty steps that nothing disturbs", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.ask(QUESTION);
  undisturbed = await shownBy(board);
  expect(await movesIn(server)).toEqual(CARDS);
});

for (let round = 0; round < ROUNDS; round += 1) {
  const random = randomOf(SEED * 10_000 + round);
  const kind = KINDS[round % KINDS.length] ?? "reload";
  // The run is still under way when the disturbance comes.
  const call = random.below(CARDS.length - 4);
  const isDecided = random.oneIn(2);

  const title = `seed ${SEED}, round ${round}: ${kind} at call ${call}${isDecided ? ", decided" : ""}`;
  test(title, async ({ page, context, server }) => {
    let board = new BoardPage(page);
    await board.open(server.page);
    await board.say(QUESTION);
    await expect(board.calls.nth(call)).toHaveAttribute("data-verdict", isDecided ? "accepted" : /./);
    board = await disturb[kind](board, context, server);
    if (kind === "kill") await goOn(board);
    // A run that goes on has not begun yet when the button was clicked.
    await expect(board.calls).toHaveCount(CARDS.length);
    await board.answered();
    await expect(board.conversation.getByRole("alert")).toHaveCount(0);
    expect(await shownBy(board)).toEqual(undisturbed);
    expect(await movesIn(server)).toEqual(CARDS);
  });
}

type Disturb = (board: BoardPage, context: BrowserContext, server: DemoServer) => Promise<BoardPage>;

const disturb: Readonly<Record<(typeof KINDS)[number], Disturb>> = {
  async reload(board) {
    await board.page.reload();
    return board;
  },
  async close(board, context, server) {
    const reopen = await closeWindow(board.page, context);
    await new Promise((resolve) => setTimeout(resolve, AWAY));
    const next = new BoardPage(await reopen());
    await next.open(server.page);
    return next;
  },
  async offline(board, context) {
    await context.setOffline(true);
    await expect(board.page.getByTestId("status")).toContainText("Offline");
    await context.setOffline(false);
    return board;
  },
  async kill(board, _, server) {
    await server.kill();
    await server.start();
    return board;
  },
};

/** A server that died says where it stopped. */
async function goOn(board: BoardPage): Promise<void> {
  await expect(board.conversation.getByRole("alert")).toContainText("The agent was stopped");
  await board.page.getByRole("button", { name: "Go on" }).click();
}

async function shownBy(board: BoardPage): Promise<Shown> {
  const said = await board.conversation.locator("[data-role=user], [data-role=assistant]").allInnerTexts();
  const calls = await board.calls.evaluateAll((all) => all.map((each) => each.getAttribute("data-verdict") ?? ""));
  return [...said, ...calls];
}
