// The inspector as a person uses it.

import type { Locator, Page } from "playwright/test";
import { expect } from "./demo.ts";

export class InspectorPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(demo: string, agent?: string): Promise<void> {
    await this.page.goto(`${demo}/agent/${agent === undefined ? "" : `?url=${encodeURIComponent(agent)}`}`);
  }

  async say(text: string): Promise<void> {
    const field = this.page.getByRole("textbox", { name: "Message to the agent" });
    await field.fill(text);
    await field.press("Enter");
  }

  /** The run is over. */
  async finished(): Promise<void> {
    await expect(this.page.getByRole("button", { name: "Send", exact: true })).toBeVisible();
    await expect(this.conversation.getByText("Working")).toHaveCount(0);
  }

  async connect(url: string): Promise<void> {
    const field = this.page.getByRole("textbox", { name: "Address of the agent" });
    await field.fill(url);
    await field.press("Enter");
  }

  get conversation(): Locator {
    return this.page.getByRole("log", { name: "Conversation" });
  }

  get events(): Locator {
    return this.page.getByRole("listbox", { name: "Events" });
  }

  get moment(): Locator {
    return this.page.getByRole("slider", { name: "Moment" });
  }

  get tree(): Locator {
    return this.page.getByRole("tree", { name: "State of the agent" });
  }

  /** A row of the state's tree by its JSON Pointer. */
  row(pointer: string): Locator {
    return this.tree.locator(`[data-path="${pointer}"]`);
  }
}
