// The page as a person uses it.

import { expect, type Locator, type Page } from "playwright/test";

export class DebatePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await expect(this.topicField).toBeVisible();
  }

  async start(topic: string, rounds: number): Promise<void> {
    await this.topicField.fill(topic);
    await this.page.getByRole("radio", { name: String(rounds), exact: true }).check({ force: true });
    await this.page.getByRole("button", { name: "Start the debate" }).click();
  }

  /** Waits until everything that was typed is stored: the page would be left without a question. */
  async kept(): Promise<void> {
    const isLeft = () => dispatchEvent(new Event("beforeunload", { cancelable: true }));
    await expect.poll(() => this.page.evaluate(isLeft)).toBe(true);
  }

  get topicField(): Locator {
    return this.page.getByLabel("Topic");
  }

  get phase(): Locator {
    return this.page.getByTestId("phase");
  }

  get pause(): Locator {
    return this.page.getByRole("form", { name: /^Round \d+ is ready$/ });
  }

  round(number: number): Locator {
    return this.page.getByRole("region", { name: `Round ${number} of` });
  }

  turn(round: number, speaker: "Optimist" | "Skeptic" | "Moderator"): Locator {
    return this.round(round).getByRole("article", { name: speaker });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  /** The id in the address. */
  get id(): string {
    return new URL(this.page.url()).hash.slice(2);
  }
}
