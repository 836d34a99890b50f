// The board as a person would keep it, without the engine: two lists of cards, and the word that
// each call must get. It is the oracle of the verdict suites.

import type { Call } from "./talk.ts";

export class HandBoard {
  version = 1;
  readonly titles = new Map<string, string>();
  readonly #columns: Map<string, string[]>;

  constructor(cards: readonly string[] = ["T-1", "T-2", "T-3"]) {
    this.#columns = new Map([
      ["todo", [...cards]],
      ["done", []],
    ]);
    for (const card of cards) this.titles.set(card, `Task ${card}`);
  }

  copy(): HandBoard {
    const copy = new HandBoard([]);
    copy.version = this.version;
    for (const [card, title] of this.titles) copy.titles.set(card, title);
    for (const [id, cards] of this.#columns) copy.#columns.set(id, [...cards]);
    return copy;
  }

  /** The card ids by column. */
  get layout(): Record<string, string[]> {
    return Object.fromEntries([...this.#columns].map(([id, cards]) => [id, [...cards]]));
  }

  /** Carries a call out, and gives the first words of its verdict. */
  run([name, args]: Call): string {
    const cardId = String(args["cardId"]);
    const column = [...this.#columns.values()].find((cards) => cards.includes(cardId));
    if (column === undefined) return "Refused (card_not_found)";
    if (name === "rename") return this.#rename(cardId, String(args["title"]));
    const index = column.indexOf(cardId);
    const target = name === "move" ? this.#columns.get(String(args["to"])) : [];
    if (target === undefined) return "Refused (column_not_found)";
    if (target === column && index === column.length - 1) return "Accepted";
    column.splice(index, 1);
    target.push(cardId);
    this.version += 1;
    return "Accepted";
  }

  #rename(cardId: string, title: string): string {
    if (this.titles.get(cardId) !== title) this.version += 1;
    this.titles.set(cardId, title);
    return "Accepted";
  }
}
