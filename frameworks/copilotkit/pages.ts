// What a person does on the page, and sees there.

import type { Page } from "playwright";
import { openBrowser } from "../../tools/people.ts";

export interface Visit {
  readonly board: string;
  readonly user?: string;
  /** The name of the conversation; their own by default. */
  readonly conversation?: string;
  /** Below CopilotKit's older provider. */
  readonly older?: boolean;
}

export interface Pages {
  visit(visit: Visit): Promise<Page>;
  /** Errors of all pages so far, and what they asked of anything but this machine. */
  readonly faults: () => readonly string[];
  forget(): void;
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** One browser for each person: it loads the application once. */
export async function openPages(url: string): Promise<Pages> {
  const people = await openBrowser();
  const pages = new Map<string, Page>();
  const elsewhere: string[] = [];

  async function pageOf(user: string): Promise<Page> {
    const { page } = await people.visit("about:blank");
    page.on("request", (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol.startsWith("http") && hostname !== "localhost") elsewhere.push(request.url());
    });
    pages.set(user, page);
    return page;
  }

  return {
    async visit({ board, user = "ada", conversation = user, older = false }) {
      const page = pages.get(user) ?? (await pageOf(user));
      const query = new URLSearchParams({ board, user, conversation });
      await page.goto(`${url}/${older ? "older" : ""}?${query}`);
      await says(page, "Live");
      await says(page, "Ready");
      return page;
    },
    faults: () => [...people.errors, ...elsewhere],
    forget() {
      people.forget(/./);
      elsewhere.length = 0;
    },
    leave: async () => void (await Promise.all([...pages.values()].map((page) => page.goto("about:blank")))),
    close: () => people.close(),
  };
}

export const says = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true }).waitFor();

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

export const items = (page: Page, list: string) =>
  page.getByRole("list", { name: list, exact: true }).getByRole("listitem");

const item = (page: Page, list: string, text: string) => items(page, list).getByText(text, { exact: true }).waitFor();

/** In CopilotKit's copy of the state. */
export const onPage = (page: Page, title: string) => item(page, "Cards of the page", title);

export const inThread = (page: Page, title: string) => item(page, "Cards of the thread", title);

export const cards = (page: Page) => items(page, "Cards of the page").allInnerTexts();

/** The board's title: in CopilotKit's copy of the state, and beside it in the thread. */
export const heading = (page: Page) => page.getByRole("heading", { level: 1 }).innerText();
export const threadHeading = (page: Page) => page.getByRole("heading", { level: 2 }).innerText();

/** What became of what the page set. */
export const verdicts = (page: Page) => items(page, "Verdicts").allInnerTexts();

/** The calls of a tool in the chat: arguments, status, result. */
export const calls = (page: Page, tool: string) => page.getByRole("note", { name: tool });

export const messages = (page: Page) => page.getByTestId("copilot-user-message");

export async function send(page: Page, text: string): Promise<void> {
  await page.getByTestId("copilot-chat-textarea").fill(text);
  await page.getByTestId("copilot-send-button").click();
  await messages(page).getByText(text, { exact: true }).last().waitFor();
}

/** Sends a message, and waits until its run is over. */
export async function talk(page: Page, text: string): Promise<void> {
  const answers = page.getByTestId("copilot-assistant-message").filter({ hasText: "Done." });
  const before = await answers.count();
  await send(page, text);
  await answers.nth(before).waitFor();
  await says(page, "Ready");
}

/** The button that sends stops while a run is on. */
export const stop = (page: Page) => page.getByTestId("copilot-send-button").click();

export async function set(page: Page, title: string, how = "Set title"): Promise<void> {
  await page.getByLabel("Title", { exact: true }).fill(title);
  await button(page, how).click();
}
