// The random acts: what a person, the network or a webhook may do at any time.
//
// An act is given up if the page does not offer it just now (a card that is gone, a covered field).

import type { Locator } from "playwright/test";
import type { BoardPage } from "../support/board-page.ts";
import type { DemoServer } from "../support/server.ts";

export interface ActContext {
  readonly board: BoardPage;
  readonly server: DemoServer;
  /** A whole number from 0 to below `limit`. */
  draw(limit: number): number;
}

export interface Act {
  readonly name: string;
  /** How often it is drawn, relative to the others. */
  readonly weight: number;
  run(hand: ActContext): Promise<void>;
}

const REQUESTS = [
  "Move T-1 to In Progress, then T-2 to Review, then summarise",
  "Move every card with priority 1 to Done",
  "remove T-15 and move T-15 to Done",
  "Move T-3 to Nowhere",
  "Add a card 'From the agent' to Backlog",
  "What changed?",
];
const MODES = ["Just do it", "Ask me first"] as const;

export const ACTS: readonly Act[] = [
  {
    name: "drag a card",
    weight: 6,
    async run({ board: { page }, draw }) {
      const from = await box(await any(page.locator("[data-card-id]"), draw));
      const to = await box(await any(page.locator("[data-column-id] [data-cards]"), draw));
      await page.mouse.move(from.x + from.width / 2, from.y + 12);
      await page.mouse.down();
      await page.mouse.move(to.x + to.width / 2, to.y + 8 + draw(Math.max(1, Math.floor(to.height) - 16)), {
        steps: 4,
      });
      await page.mouse.up();
    },
  },
  {
    name: "add a card",
    weight: 3,
    async run({ board: { page }, draw }) {
      await (await any(page.locator("[data-key-target='new-card']"), draw)).click();
      await page.keyboard.type(`Card ${draw(1_000)}`);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
    },
  },
  {
    name: "rename a card",
    weight: 3,
    async run({ board: { page }, draw }) {
      await (await any(page.locator("[data-card-id]"), draw)).dblclick();
      await page
        .getByRole("textbox", { name: "Title" })
        .first()
        .fill(`Renamed ${draw(1_000)}`);
      await page.keyboard.press("Enter");
    },
  },
  {
    name: "undo or redo by key",
    weight: 4,
    run: ({ board: { page }, draw }) => onBoard(page.locator("body"), draw(3) === 0 ? "Shift+Z" : "z"),
  },
  {
    name: "look at the past, and come back",
    weight: 2,
    async run({ board: { page } }) {
      await onBoard(page.locator("body"), "[");
      await page.keyboard.press("[");
      await page.keyboard.press("Escape");
    },
  },
  {
    name: "ask the agent",
    weight: 6,
    async run({ board: { page }, draw }) {
      const field = page.getByRole("textbox", { name: "Message to the agent" });
      await field.fill(REQUESTS[draw(REQUESTS.length)] ?? "");
      await field.press("Enter");
    },
  },
  {
    name: "stop the agent",
    weight: 1,
    run: ({ board: { page } }) => page.getByRole("button", { name: "Stop" }).click(),
  },
  {
    name: "change how the agent works",
    weight: 2,
    run: ({ board: { page }, draw }) => page.getByText(MODES[draw(MODES.length)] ?? "", { exact: true }).click(),
  },
  {
    name: "decide on what is proposed",
    weight: 3,
    async run({ board, draw }) {
      await board.tab("Proposals").click();
      await board.page.getByRole("button", { name: draw(3) === 0 ? "Decline all" : /^Accept (all|\d)/ }).click();
      await board.tab("Timeline").click();
    },
  },
  {
    name: "take back a run",
    weight: 2,
    run: async ({ board: { page }, draw }) =>
      (await any(page.getByRole("button", { name: /^(?:Undo|Redo) this run|^Undo and drop/ }), draw)).click(),
  },
  {
    name: "flip the connection's switch",
    weight: 4,
    run: ({ board: { page } }) => page.getByRole("switch", { name: "Connection" }).click(),
  },
  {
    name: "lose or find the network",
    weight: 3,
    run: ({ board: { page }, draw }) => page.context().setOffline(draw(2) === 0),
  },
  {
    name: "reload",
    weight: 1,
    async run({ board }) {
      // Without a network there would be no page to come back to.
      await board.page.context().setOffline(false);
      await board.page.reload();
    },
  },
  {
    name: "call the webhook",
    weight: 2,
    async run({ server, draw }) {
      await server.post({
        type: "addCard",
        columnId: "backlog",
        title: `Webhook ${draw(1_000)}`,
        priority: 1 + draw(4),
      });
    },
  },
  {
    name: "remove a card from elsewhere",
    weight: 3,
    async run({ board: { page }, server, draw }) {
      const cardId = await (await any(page.locator("[data-card-id]"), draw)).getAttribute("data-card-id");
      await server.edit({ type: "remove", cardId }, "grace");
    },
  },
];

/** One of those that are there. */
async function any(all: Locator, draw: ActContext["draw"]): Promise<Locator> {
  const count = await all.count();
  return all.nth(draw(Math.max(1, count)));
}

async function box(element: Locator) {
  await element.scrollIntoViewIfNeeded();
  const found = await element.boundingBox();
  if (found === null) throw new Error("not shown");
  return found;
}

/** A key for the page, not for a field. */
async function onBoard(body: Locator, key: string): Promise<void> {
  await body.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await body.page().keyboard.press(key);
}
