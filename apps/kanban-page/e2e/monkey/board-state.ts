// The board, as a page shows it, as the server has it, and as the log makes it.

import { applyPatch, type Patch } from "@opstate/core/json-patch";
import type { Page } from "playwright/test";
import type { DemoServer } from "../support/server.ts";

interface ShownCard {
  readonly cardId: string;
  readonly title: string;
  readonly priority: number;
}

export interface ShownColumn {
  readonly columnId: string;
  readonly title: string;
  readonly cards: readonly ShownCard[];
}

export interface BoardState {
  readonly columns: readonly ShownColumn[];
}

/** The board as the page shows it. */
export function shownBoard(page: Page): Promise<ShownColumn[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("section[data-column-id]")].map((column) => ({
      columnId: column.getAttribute("data-column-id") ?? "",
      title: column.getAttribute("aria-label") ?? "",
      cards: [...column.querySelectorAll("[data-card-id]")].map((card) => ({
        cardId: card.getAttribute("data-card-id") ?? "",
        title: card.querySelector(".card-title")?.textContent ?? "",
        priority: Number(card.querySelector(".priority")?.getAttribute("data-priority")),
      })),
    })),
  );
}

/** The board of a state, in the same form. */
export function boardOf({ columns }: BoardState): ShownColumn[] {
  return columns.map(({ columnId, title, cards }) => ({
    columnId,
    title,
    cards: cards.map(({ cardId, title: text, priority }) => ({ cardId, title: text, priority })),
  }));
}

/** The first state of the log with the patches of every commit applied, in their order. */
export async function replayed(server: DemoServer, threadId: string): Promise<{ version: number; state: BoardState }> {
  const first = (await server.get(`/threads/${threadId}/states/0`)) as { state: unknown };
  let { state } = first;
  let version = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before it ended
    const page = (await server.get(`/threads/${threadId}/history?after=${version}&limit=500`)) as {
      commit: { version: number; patches: Patch };
    }[];
    if (page.length === 0) return { version, state: state as BoardState };
    for (const { commit } of page) {
      if (commit.version !== version + 1) throw new Error(`The log has ${commit.version} behind ${version}.`);
      const applied = applyPatch(state, commit.patches);
      if (!applied.ok)
        throw new Error(`The patches of version ${commit.version} do not apply: ${JSON.stringify(applied)}`);
      state = applied.document;
      version = commit.version;
    }
  }
}
