// The start page as a visitor uses it: five moments on a board.

import type { Locator, Page } from "playwright/test";
import { BoardPage } from "../../kanban-page/e2e/support/board-page.ts";
import { expect } from "./demo.ts";

export class StartPage {
  readonly page: Page;
  readonly board: BoardPage;

  constructor(page: Page) {
    this.page = page;
    this.board = new BoardPage(page);
  }

  /** `patient`: the page shows no hand of its own. */
  async open(url: string, { patient = false } = {}): Promise<void> {
    await this.board.open(url);
    if (patient) await this.page.getByRole("checkbox", { name: /^Wait for me/ }).check();
  }

  get next(): Locator {
    return this.page.getByRole("button", { name: /^(?:Next|Again): / });
  }

  /** What happens, or what came of it, in a sentence. */
  get now(): Locator {
    return this.page.getByTestId("now");
  }

  /** The moment waits for a hand. */
  async waits(sentence: RegExp): Promise<void> {
    await expect(this.now).toHaveAttribute("data-state", "waiting", { timeout: 120_000 });
    await expect(this.now).toHaveText(sentence);
  }

  /** The moment is over. */
  async ends(sentence: RegExp, progress: string): Promise<void> {
    await expect(this.page.getByTestId("progress")).toHaveText(progress, { timeout: 120_000 });
    await expect(this.now).toHaveAttribute("data-state", "still");
    await expect(this.now).toHaveText(sentence);
  }

  get showMe(): Locator {
    return this.page.getByRole("button", { name: "Show me" });
  }

  /** The side that one does not work on, while there is a branch. */
  get beside(): Locator {
    return this.page.getByTestId("still-board");
  }

  get connection(): Locator {
    return this.page.getByRole("switch", { name: "Connection" });
  }

  /** The ghost of a proposed card. */
  ghost(cardId: string): Locator {
    return this.page.locator(`[data-ghost-of="${cardId}"]`);
  }

  get changes(): Locator {
    return this.page.getByRole("list", { name: "Changes on the branch" }).getByRole("listitem");
  }

  /** Presses Tab until the focus is there. */
  async tabTo(target: Locator): Promise<void> {
    await expect(target.first()).toBeVisible();
    const isThere = () => target.first().evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 200; presses += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      if (await isThere()) return;
      // oxlint-disable-next-line no-await-in-loop
      await this.page.keyboard.press("Tab");
    }
    throw new Error(`${String(target)} is not reached by Tab`);
  }

  /** Moves a card of the first column one column to the right: Space, an arrow, Space. */
  async moveByKeys(cardId: string): Promise<void> {
    const { keyboard } = this.page;
    const card = this.board.card(cardId);
    await this.tabTo(this.page.locator("[data-board] [data-card-id][tabindex='0']"));
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp"])
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await keyboard.press(key);
    for (let presses = 0; presses < 20; presses += 1) {
      // oxlint-disable-next-line no-await-in-loop
      if (await card.evaluate((element) => element === document.activeElement)) break;
      // oxlint-disable-next-line no-await-in-loop
      await keyboard.press("ArrowDown");
    }
    await expect(card).toBeFocused();
    await this.page.keyboard.press("Space");
    await expect(card).toHaveAttribute("data-lifted");
    await this.page.keyboard.press("ArrowRight");
    await this.page.keyboard.press("Space");
    await expect(card).not.toHaveAttribute("data-lifted");
  }
}
