// The preview of proposals: ghost cards where cards would be, and marks on cards that would be
// moved, removed or changed.

import type { AnyOperation, Proposal } from "@opstate/core";
import { type Board, board, type Card, findCard } from "@opstate/kanban-domain";

export interface Ghost {
  readonly proposal: Proposal;
  readonly card: Card;
  /** The real card that it would follow; undefined at the top. */
  readonly after: string | undefined;
}

export interface CardMark {
  readonly proposal: Proposal;
  readonly what: "move" | "remove" | "change";
}

export interface Preview {
  /** By column. */
  readonly ghosts: ReadonlyMap<string, readonly Ghost[]>;
  /** By card. */
  readonly marks: ReadonlyMap<string, CardMark>;
}

const NO_GHOSTS: readonly Ghost[] = [];

export const ghostsIn = ({ ghosts }: Preview, columnId: string): readonly Ghost[] => ghosts.get(columnId) ?? NO_GHOSTS;

/** Ghosts by the card that they follow. A ghost whose card is gone goes to the top. */
export function placeGhosts<G extends Pick<Ghost, "after">>(
  ghosts: readonly G[],
  cards: readonly Card[],
): { readonly top: readonly G[]; behind(cardId: string): readonly G[] } {
  if (ghosts.length === 0) return { top: [], behind: () => [] };
  const known = new Set(cards.map(({ cardId }) => cardId));
  return {
    top: ghosts.filter(({ after }) => after === undefined || !known.has(after)),
    behind: (cardId) => ghosts.filter(({ after }) => after === cardId),
  };
}

/** The key of a ghost in a list. */
export const ghostKey = ({ proposal, card }: Ghost): string => `${proposal.version} ${card.cardId}`;

const NOTHING_PROPOSED: Preview = { ghosts: new Map(), marks: new Map() };

/** The last one of each list: every card asks for it. */
const PREVIEWS = new WeakMap<readonly Proposal[], { readonly state: Board; readonly preview: Preview }>();

/** Tries the proposals one after the other. A proposal that would be refused shows nothing. */
export function previewOf(state: Board | null, proposals: readonly Proposal[]): Preview {
  if (state === null || proposals.length === 0) return NOTHING_PROPOSED;
  const known = PREVIEWS.get(proposals);
  if (known?.state === state) return known.preview;
  const preview = tryEach(state, proposals);
  PREVIEWS.set(proposals, { state, preview });
  return preview;
}

function tryEach(state: Board, proposals: readonly Proposal[]): Preview {
  const ghosts = new Map<string, Ghost[]>();
  const marks = new Map<string, CardMark>();
  let reached: Board = state;
  for (const proposal of proposals) {
    // As its proposer's submission: a ghost has the id that the card gets when it is accepted.
    const { actor, id, at } = proposal;
    const step = board.transition(reached, proposal.operation, { actor, id, at });
    if (!step.accepted || step.state === null) continue;
    for (const cardId of namedIn(reached, step.state, proposal.operation)) {
      const was = findCard(reached, cardId);
      const is = findCard(step.state, cardId);
      const card = is?.column.cards[is.index];
      const what = !is
        ? "remove"
        : was?.column.columnId === is.column.columnId && was.index === is.index
          ? "change"
          : "move";
      if (was && findCard(state, cardId)) marks.set(cardId, { proposal, what });
      if (is && card) {
        const { columnId } = is.column;
        const after = what === "change" ? cardId : realBefore(state, columnId, step.state, cardId);
        ghosts.set(columnId, [...(ghosts.get(columnId) ?? []), { proposal, card, after }]);
      }
    }
    // A stale proposal is not accepted with the others, so the next ones are tried without it.
    if (proposal.stale.length === 0) reached = step.state;
  }
  return { ghosts, marks };
}

export function cardIdOf(operation: { readonly type: string; readonly cardId?: unknown }): string | undefined {
  return typeof operation.cardId === "string" ? operation.cardId : undefined;
}

/** The cards that an operation names, and the one that it adds. */
function namedIn(before: Board, after: Board, operation: AnyOperation): string[] {
  const cardId = cardIdOf(operation);
  if (cardId !== undefined) return [cardId];
  if (operation.type !== "addCard") return [];
  const known = new Set(before.columns.flatMap(({ cards }) => cards));
  return after.columns.flatMap(({ cards }) => cards.flatMap((card) => (known.has(card) ? [] : [card.cardId])));
}

/** The nearest card before it in the preview that is also in this column of the board. */
function realBefore(real: Board, columnId: string, preview: Board, cardId: string): string | undefined {
  const there = new Set(real.columns.find((column) => column.columnId === columnId)?.cards.map((card) => card.cardId));
  const cards = preview.columns.find((column) => column.columnId === columnId)?.cards ?? [];
  const at = cards.findIndex((card) => card.cardId === cardId);
  return cards.slice(0, at).findLast((card) => there.has(card.cardId))?.cardId;
}
