// A run goes on while its page is away: reloaded, closed or cut off in the middle of its answer.

import { movesIn } from "../support/agent-moves.ts";
import { BoardPage } from "../support/board-page.ts";
import { closeWindow } from "../support/closed-window.ts";
import { type DemoServer, expect, test } from "../support/server.ts";

test.use({ chunkDelay: 250, kills: true });

const QUESTION = "Move T-1 to Done, then move T-2 to Done, then move T-3 to Done";

/** The run under way, as the server lists it. */
async function runsOf(url: string, user: string) {
  const response = await fetch(`${url}/threads/demo/runs`, { headers: { "x-opstate-user": user } });
  return (await response.json()) as { readonly status: string; readonly steps: number }[];
}

/** The person whom the page takes its user for. */
const userOf = (board: BoardPage) =>
  board.page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((each) => each.startsWith("opstate.chat."));
    return key?.split(".")[2] ?? "";
  });

test("a reload in the middle of a run shows it to its end, and every call has one effect", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.say(QUESTION);
  await expect(board.calls.first()).toBeVisible();
  await page.reload();
  // It is the same run, and it is still under way.
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await page.reload();
  await board.answered();
  await expect(board.conversation.locator("[data-role=user]")).toHaveCount(1);
  await expect(board.conversation.getByRole("alert")).toHaveCount(0);
  const runs = await runsOf(server.url, await userOf(board));
  expect(runs).toMatchObject([{ status: "finished" }]);
  await expect(board.calls).toHaveCount(runs[0]?.steps ?? 0);
});

test(
  "a run goes on without any window, and the next one shows all of it",
  { tag: "@long" },
  async ({ page, context, server }) => {
    const board = new BoardPage(page);
    await board.open(server.page);
    await board.say(QUESTION);
    await expect(board.calls.first()).toBeVisible();
    const user = await userOf(board);
    const reopen = await closeWindow(page, context);
    await expect.poll(async () => (await runsOf(server.url, user))[0]?.status).toBe("finished");
    const next = new BoardPage(await reopen());
    await next.open(server.page);
    await next.answered();
    await expect(next.conversation.locator("[data-role=user]")).toHaveCount(1);
  },
);

test("the button stops it on the server, also after a reload", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.say(QUESTION);
  await expect(board.calls.first()).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Stop" }).click();
  const user = await userOf(board);
  await expect.poll(async () => (await runsOf(server.url, user))[0]?.status).toBe("stopped");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeVisible();
});

/** When the server is killed: a call is shown, or has its verdict. Script: `--repeat-each=5`. */
const MOMENTS = [
  { call: 0, verdict: /accepted/ },
  { call: 0, verdict: /./ },
  { call: 1, verdict: /./ },
  { call: 1, verdict: /accepted/ },
  { call: 2, verdict: /./ },
] as const;

/** Asks for three moves, kills the server in the middle, and starts it again. */
async function killInTheMiddle(board: BoardPage, server: DemoServer, round = 0) {
  const { call, verdict } = MOMENTS[round % MOMENTS.length] ?? MOMENTS[0];
  await board.open(server.page);
  await board.say(QUESTION);
  await expect(board.calls.nth(call)).toHaveAttribute("data-verdict", verdict);
  await server.kill();
  await server.start();
  // A page may have seen more than was stored: how many steps it says is not its matter.
  await expect(board.conversation.getByRole("alert")).toContainText("The agent was stopped");
}

test("a server that is killed in the middle says how far the run came, and goes on where it was", async ({
  page,
  server,
}, { repeatEachIndex }) => {
  const board = new BoardPage(page);
  await killInTheMiddle(board, server, repeatEachIndex);
  // A reload keeps the offer.
  await page.reload();
  await page.getByRole("button", { name: "Go on" }).click();
  await board.answered();
  await expect(board.conversation.getByRole("alert")).toHaveCount(0);
  await expect(board.conversation.locator("[data-role=user]")).toHaveCount(1);
  await expect(board.calls).toHaveCount(3);
  for (const call of await board.calls.all()) await expect(call).toHaveAttribute("data-verdict", "accepted");
  for (const cardId of ["T-1", "T-2", "T-3"])
    await expect(board.column("Done").locator(`[data-card-id=${cardId}]`)).toHaveCount(1);
  expect(await movesIn(server)).toEqual(["T-1", "T-2", "T-3"]);
});

test(
  "what a killed server did of a run is taken back, and the chat goes on",
  { tag: "@long" },
  async ({ page, server }) => {
    const board = new BoardPage(page);
    await killInTheMiddle(board, server);
    await board.conversation.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(page.getByRole("button", { name: "Go on" })).toHaveCount(0);
    await expect(board.column("Done").locator("[data-card-id=T-1]")).toHaveCount(0);
    await board.ask("Move T-38 to Done");
    await expect(board.column("Done").locator("[data-card-id=T-38]")).toHaveCount(1);
  },
);
