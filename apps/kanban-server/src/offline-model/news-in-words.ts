// What others did, as a person would say it.

import { type Board, findCard } from "@opstate/kanban-domain";

/** "ada: Move T-2: Backlog -> Done" gives "ada moved 'Dark mode' (T-2) from Backlog to Done". */
export function newsInWords(line: string, board: Board | null): string {
  const [, who, cardId, from, to] = /^([^:]+): Move (\S+): (.+) -> (.+)$/.exec(line) ?? [];
  if (who === undefined || cardId === undefined || from === undefined || to === undefined) return line;
  const place = board === null ? undefined : findCard(board, cardId);
  const title = place?.column.cards[place.index]?.title;
  return `${who} moved ${title === undefined ? cardId : `'${title}' (${cardId})`} from ${from} to ${to}`;
}
