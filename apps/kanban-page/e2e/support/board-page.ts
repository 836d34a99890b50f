// The board's page as a person uses it.

import type { Locator, Page } from "playwright/test";
import { expect } from "./server.ts";

export class BoardPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** At `server.page`. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await expect(this.page.getByTestId("status")).toContainText("Live");
  }

  /** Adds a card to Backlog and gives it another title. Its id. */
  async addAndRename(title: string, renamed: string): Promise<string> {
    const field = this.page.getByRole("textbox", { name: "Title", exact: true });
    await this.page.getByRole("button", { name: "Add card to Backlog" }).click();
    await field.fill(title);
    await field.press("Enter");
    await field.press("Escape");
    const cardId = (await this.titled(title).getAttribute("data-card-id")) ?? "";
    await this.card(cardId).focus();
    await this.page.keyboard.press("Enter");
    await field.fill(renamed);
    await field.press("Enter");
    return cardId;
  }

  /** Sends a message to the agent and waits for its answer. */
  async ask(text: string): Promise<void> {
    await this.say(text);
    await this.answered();
  }

  async say(text: string): Promise<void> {
    const field = this.page.getByRole("textbox", { name: "Message to the agent" });
    await field.fill(text);
    await field.press("Enter");
    await expect(this.conversation.locator("[data-role=user]").last()).toContainText(text);
  }

  /** The run has ended with an answer. */
  async answered(): Promise<void> {
    const answer = this.conversation.locator("[data-role=user]").last().locator("~ [data-role=assistant]").last();
    await expect(answer).toBeVisible();
    await expect(this.page.getByRole("button", { name: "Send", exact: true })).toBeVisible();
  }

  get conversation(): Locator {
    return this.page.getByRole("log", { name: "Conversation" });
  }

  get lastAnswer(): Locator {
    return this.conversation.locator("[data-role=assistant]").last();
  }

  /** The tool calls, as the sentences that are shown. */
  get calls(): Locator {
    return this.conversation.locator("details[data-verdict]");
  }

  /** A button at a proposed call, by words of its sentence. */
  decide(sentence: string, how: "Accept" | "Edit" | "Decline"): Locator {
    return this.conversation.getByRole("group", { name: sentence }).getByRole("button", { name: how, exact: true });
  }

  get feed(): Locator {
    return this.page.getByTestId("feed").getByRole("listitem");
  }

  /** The line of the timeline that a version made. */
  entry(version: number): Locator {
    return this.page.locator(`[data-entry-version="${version}"][data-accepted=true]`);
  }

  get runs(): Locator {
    return this.page.getByTestId("feed").locator("[data-run]");
  }

  tab(name: "Timeline" | "Proposals" | "State"): Locator {
    return this.page.getByRole("tab", { name });
  }

  /** Chooses how the agent works. */
  async mode(name: "Just do it" | "Ask me first" | "Let it try"): Promise<void> {
    await this.page.getByText(name, { exact: true }).click();
    await expect(this.page.getByRole("radio", { name })).toBeChecked();
  }

  /** Who else is here, one each. */
  get here(): Locator {
    return this.page.getByTestId("here").getByRole("listitem");
  }

  get spoken(): Locator {
    return this.page.getByRole("status", { name: "Announcements" });
  }

  /** All edits are saved. */
  async saved(): Promise<void> {
    await expect(this.page.getByTestId("status")).toContainText("All edits saved");
  }

  /** Waits until every edit that waits is stored: the page would be left without a question. */
  async kept(): Promise<void> {
    const isLeft = () => dispatchEvent(new Event("beforeunload", { cancelable: true }));
    await expect.poll(() => this.page.evaluate(isLeft)).toBe(true);
  }

  column(title: string): Locator {
    return this.page.getByRole("region", { name: title, exact: true });
  }

  card(cardId: string): Locator {
    return this.page.locator(`[data-card-id="${cardId}"]`);
  }

  /** A card by its title: what is added has an id of its own. */
  titled(title: string): Locator {
    return this.page.locator("[data-card-id]").filter({ hasText: title });
  }

  cardIn(column: string, cardId: string): Locator {
    return this.column(column).locator(`[data-card-id="${cardId}"]`);
  }

  /** The titles of the columns, in their order. */
  get columnTitles(): Locator {
    return this.page.locator("[data-column-head] .column-title");
  }

  /** Drags a column by its head, to the left half of another one. */
  async dragColumn(title: string, before: string): Promise<void> {
    const { mouse } = this.page;
    await expect(this.page.locator("[data-columns-move]")).toBeVisible();
    await this.column(title).getByTestId("card-count").hover();
    await mouse.down();
    const to = await this.column(before).boundingBox();
    if (!to) throw new Error(`cannot drag ${title} to ${before}: it is not shown`);
    await mouse.move(to.x + to.width / 4, to.y + 24, { steps: 10 });
    await mouse.up();
  }

  /** Drags with the mouse, in steps as a hand does. */
  async drag(cardId: string, toColumn: string): Promise<void> {
    const { mouse } = this.page;
    // Waits until the card is at rest and not covered.
    await this.card(cardId).hover();
    await mouse.down();
    const to = await this.column(toColumn).getByRole("list").boundingBox();
    if (!to) throw new Error(`cannot drag ${cardId} to ${toColumn}: it is not shown`);
    await mouse.move(to.x + to.width / 2, to.y + 24, { steps: 10 });
    await mouse.up();
  }

  /** Records, in every frame from now on, any column whose count is not the number of its cards. */
  async watchCounts(): Promise<() => Promise<{ frames: number; wrong: string[] }>> {
    await this.page.evaluate(() => {
      const seen = { frames: 0, wrong: [] as string[] };
      Object.assign(window, { seenCounts: seen });
      const look = () => {
        seen.frames += 1;
        for (const column of document.querySelectorAll("[data-column-id]")) {
          const shown = Number(column.querySelector("[data-testid=card-count]")?.textContent);
          const cards = column.querySelectorAll("[data-card-id]").length;
          if (shown !== cards) seen.wrong.push(`${column.getAttribute("data-column-id")}: ${shown} for ${cards}`);
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    return () =>
      this.page.evaluate(() => (window as unknown as { seenCounts: { frames: number; wrong: string[] } }).seenCounts);
  }
}
