// Edits outlive a reload, offline too: they are shown again, sent when the connection is back, and
// then accepted or refused. What cannot be sent is told, and can be copied.

import { BoardPage } from "./support/board-page.ts";
import { expect, test } from "./support/server.ts";

test("an edit made offline is there after a reload, and is sent once", { tag: "@smoke" }, async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const status = page.getByTestId("status");
  const connection = page.getByRole("switch", { name: "Connection" });
  await connection.click();
  await board.drag("T-1", "Done");
  await expect(status).toContainText("1 edit waiting");

  await board.kept();
  await page.reload();
  await expect(connection).not.toBeChecked();
  await expect(status).toContainText("Offline");
  await expect(board.cardIn("Done", "T-1")).toHaveAttribute("data-pending");
  await expect(status).toContainText("1 edit waiting");

  await connection.click();
  await board.saved();
  await expect(board.cardIn("Done", "T-1")).not.toHaveAttribute("data-pending");
  await expect(board.entry(2)).toContainText("(T-1)");
  await page.reload();
  await board.saved();
  await expect(board.cardIn("Done", "T-1")).toBeVisible();
  await expect(board.entry(2)).toBeVisible();
  await expect(board.entry(3)).toHaveCount(0);
});

test("an edit of before a reload is refused where it is shown, with the reason", async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const connection = page.getByRole("switch", { name: "Connection" });
  await connection.click();
  await board.drag("T-2", "Review");
  await expect(board.card("T-2")).toHaveAttribute("data-pending");
  await server.edit({ type: "move", cardId: "T-2", toColumn: "in-progress" }, "grace");
  await board.kept();
  await page.reload();
  await expect(board.cardIn("Review", "T-2")).toHaveAttribute("data-pending");
  await connection.click();
  await expect(page.getByTestId("refusal")).toContainText("(T-2) is in 'In Progress', not in 'Backlog'");
  await expect(board.cardIn("In Progress", "T-2")).toBeVisible();
  await board.saved();
});

test(
  "edits of another person are neither sent nor forgotten, and can be copied",
  { tag: "@long" },
  async ({ page, context, server, browserName }) => {
    test.skip(browserName !== "chromium", "only there a test may read the clipboard");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const board = new BoardPage(page);
    await board.open(server.page);
    const status = page.getByTestId("status");
    const connection = page.getByRole("switch", { name: "Connection" });
    await connection.click();
    await board.drag("T-1", "Done");
    await expect(status).toContainText("1 edit waiting");
    // From now on the server takes this browser for grace.
    await page.route(/\/(events|operations|presence|threads)/, (route, request) =>
      route.continue({ headers: { ...request.headers(), "x-opstate-user": "grace" } }),
    );
    await board.kept();
    await page.reload();
    await connection.click();
    await expect(status).toContainText("1 edit of before cannot be sent");
    await expect(board.cardIn("Backlog", "T-1")).toBeVisible();
    await status.getByRole("button", { name: "Copy" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain("Move 'Write the launch announcement' (T-1)");
    expect(copied).toContain('"type":"move"');
    await expect(board.entry(2)).toHaveCount(0);
  },
);

test("who is signed out reads so, and keeps what was not sent", { tag: "@long" }, async ({ page, server }) => {
  const board = new BoardPage(page);
  await board.open(server.page);
  const status = page.getByTestId("status");
  const connection = page.getByRole("switch", { name: "Connection" });
  await connection.click();
  await board.drag("T-1", "Done");
  const signedOut = /\/(events|operations|presence|threads)/;
  await page.route(signedOut, (route, request) =>
    route.continue({ headers: { ...request.headers(), "x-opstate-user": "?" } }),
  );
  await connection.click();
  await expect(status).toContainText("Signed out");
  await expect(status).toContainText("Sign in to continue. 1 edit not sent");
  await expect(status.getByRole("button", { name: "Copy" })).toBeVisible();
  await page.unroute(signedOut);
  await board.kept();
  await page.reload();
  await board.saved();
  await expect(board.cardIn("Done", "T-1")).toBeVisible();
  await expect(status.getByRole("button", { name: "Copy" })).toHaveCount(0);
});

test("two tabs have one connection, and a switch each", async ({ context, server }) => {
  const [first, second] = [new BoardPage(await context.newPage()), new BoardPage(await context.newPage())];
  await first.open(server.page);
  const sent = { first: 0, second: 0 };
  const isEdit = (url: string) => new URL(url).pathname === "/operations";
  first.page.on("request", (request) => (sent.first += isEdit(request.url()) ? 1 : 0));
  second.page.on("request", (request) => (sent.second += isEdit(request.url()) ? 1 : 0));
  // The second one has a connection of its own until it is known who it is.
  const ended = second.page.waitForEvent("requestfailed", (request) => request.url().endsWith("/events"));
  await second.open(server.page);
  await ended;
  await second.drag("T-1", "Done");
  await second.saved();
  await expect(first.cardIn("Done", "T-1")).toBeVisible();
  expect(sent).toEqual({ first: 1, second: 0 });

  await second.page.getByRole("switch", { name: "Connection" }).click();
  await expect(second.page.getByTestId("status")).toContainText("Offline");
  await second.drag("T-2", "Review");
  // By the keyboard: a mouse drags in the window that is in front only.
  await first.card("T-3").focus();
  for (const key of ["Space", "ArrowRight", "ArrowRight", "Space"]) await first.page.keyboard.press(key);
  await expect(first.cardIn("Review", "T-3")).toBeVisible();
  await first.saved();
  await expect(first.cardIn("Backlog", "T-2")).toBeVisible();
  await expect(second.cardIn("Backlog", "T-3")).toBeVisible();
  await second.page.getByRole("switch", { name: "Connection" }).click();
  for (const board of [first, second])
    for (const cardId of ["T-2", "T-3"]) await expect(board.cardIn("Review", cardId)).toBeVisible();
});
