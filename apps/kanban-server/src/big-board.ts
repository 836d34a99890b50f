// A board of ten thousand cards, created on demand. It is the same each time.

import { type Board, boardFrom } from "@opstate/kanban-domain";

export const BIG_THREAD = "big";

const COLUMNS = [
  { title: "Ideas", share: 3 },
  { title: "Backlog", share: 3 },
  { title: "In Progress", share: 1 },
  { title: "Review", share: 1 },
  { title: "Done", share: 2 },
] as const;

const VERBS = [
  "Fix",
  "Write",
  "Test",
  "Measure",
  "Remove",
  "Document",
  "Simplify",
  "Translate",
  "Review",
  "Speed up",
] as const;
const THINGS = [
  "the search",
  "sign-up",
  "the export",
  "billing",
  "the editor",
  "notifications",
  "the import",
  "dark mode",
  "the API",
  "backups",
] as const;
const PLACES = [
  "on phones",
  "for teams",
  "in Safari",
  "for guests",
  "when offline",
  "in German",
  "for screen readers",
  "at night",
] as const;

export function bigBoard(cards = 10_000): Board {
  const shares = COLUMNS.reduce((sum, { share }) => sum + share, 0);
  let n = 0;
  return boardFrom({
    columns: COLUMNS.map(({ title, share }) => ({
      title,
      cards: Array.from({ length: Math.round((cards * share) / shares) }, () => {
        n += 1;
        return { cardId: `T-${n}`, title: titleOf(n), priority: 1 + ((n * 7) % 4) };
      }),
    })),
  });
}

const titleOf = (n: number): string =>
  `${VERBS[n % VERBS.length]} ${THINGS[Math.floor(n / VERBS.length) % THINGS.length]} ${PLACES[(n * 3) % PLACES.length]}`;
