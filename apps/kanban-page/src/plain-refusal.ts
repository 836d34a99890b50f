// A refusal in the board's words: what an operation would have touched is named by its title.

import type { Rejection } from "@opstate/core";
import { type Board, plainMessage } from "@opstate/kanban-domain";

/** `board` is the state that the refusal is about. */
export function plainRefusal({ reason, message, path, details }: Rejection, board: Board | null): string {
  const would = fieldOf(details, "would");
  // A change of a branch.
  if (typeof would === "string") {
    const first =
      reason === "dependents" ? "Merge what it builds on first, or do it again there." : "Do it again there.";
    return `On the board it ${would}${/[.!?…]$/.test(would) ? "" : "."} ${first}`;
  }
  if (path === "/expectedVersion") return "Not done: the board changed meanwhile. Look again, then repeat it.";
  if (reason !== "other_thing") return plainMessage(message);
  const things = fieldOf(details, "things");
  const titles = (Array.isArray(things) ? things : []).flatMap((pointer) => titleAt(board, pointer) ?? []);
  const what = titles.length === 0 ? "something else" : listed(titles.slice(0, 3));
  return `Not done: by now it would change ${what}, which it was not meant for. Look again, then repeat it.`;
}

/** The title of the card or column that a JSON Pointer leads into. */
function titleAt(board: Board | null, pointer: unknown): string | undefined {
  const [, column, card] =
    /^\/columns\/(\d+)(?:\/cards\/(\d+))?/.exec(typeof pointer === "string" ? pointer : "") ?? [];
  const found = board?.columns[Number(column)];
  const thing = card === undefined ? found : found?.cards[Number(card)];
  return thing && `"${thing.title}"`;
}

function fieldOf(details: unknown, name: string): unknown {
  return typeof details === "object" && details !== null ? Reflect.get(details, name) : undefined;
}

const listed = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
