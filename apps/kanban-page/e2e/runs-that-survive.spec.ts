// A run goes on while its page is away: reloaded, closed or cut off in the middle of its answer.

import { BoardPage } from "./board-page.ts";
import { expect, test } from "./server.ts";

test.use({ chunkDelay: 400 });

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
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
    await page.close();
    await expect.poll(async () => (await runsOf(server.url, user))[0]?.status).toBe("finished");
    const next = new BoardPage(await context.newPage());
    await next.page.addInitScript((entries) => {
      for (const [key, value] of JSON.parse(entries) as [string, string][]) sessionStorage.setItem(key, value);
    }, kept);
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

test("a server that is killed in the middle says that the answer was lost, and the chat goes on", async ({
  page,
  server,
}) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  await board.say(QUESTION);
  await expect(board.calls.first()).toBeVisible();
  await server.kill();
  await server.start();
  await expect(board.conversation.getByRole("alert")).toContainText("The answer was lost");
  await board.ask("Move T-4 to Done");
});
