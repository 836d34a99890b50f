// What people who know React write, on a list of 1,000 cards, with both patches.

import { produceWithPatches } from "immer";
import { create } from "mutative";
import { deepFreeze, FrozenParts, recordingDrafts } from "../boards/internals.ts";
import type { Run } from "../harness/measure.ts";
import { mutativePatches } from "../boards/peers.ts";

interface Card {
  readonly id: string;
  title: string;
  points: number;
  tags: string[];
}
interface State {
  cards: Card[];
  total: number;
}
type Edit = (draft: State, id: string, n: number) => void;

/** Each changes something, so that no library can leave the patches out. */
export const IDIOMS: Readonly<Record<string, Edit>> = {
  "filter, reassigned": (draft, id) => {
    draft.cards = draft.cards.filter((card) => card.id !== id);
  },
  "map, one item changed": (draft, id, n) => {
    draft.cards = draft.cards.map((card) => (card.id === id ? { ...card, title: `${n}` } : card));
  },
  reduce: (draft, _, n) => {
    draft.total = n + draft.cards.reduce((sum, card) => sum + card.points, 0);
  },
  forEach: (draft, id, n) => {
    draft.cards.forEach((card) => {
      if (card.id === id) card.title = `${n}`;
    });
  },
  some: (draft, id, n) => {
    draft.total = draft.cards.some((card) => card.id === id) ? n : 0;
  },
  "for...of": (draft, id, n) => {
    for (const card of draft.cards) if (card.id === id) card.title = `${n}`;
  },
  "find, then written": (draft, id, n) => {
    const card = draft.cards.find((one) => one.id === id);
    if (card !== undefined) card.title = `${n}`;
  },
};

export const CARDS = 1_000;

const frozen = new FrozenParts("objects");
const start = (): State =>
  deepFreeze(
    {
      cards: Array.from({ length: CARDS }, (_, n) => ({
        id: `T-${n}`,
        title: `Card ${n}`,
        points: n % 7,
        tags: ["a", "b"],
      })),
      total: 0,
    },
    "objects",
  );

export const OWN = "opstate's draft";
export const candidates = {
  [OWN]: repeated((state, edit) => {
    const drafting = recordingDrafts.begin(state, { freeze: "objects", frozen });
    edit(drafting.draft as State);
    return drafting.finish().patches;
  }),
  "immer 11": repeated((state, edit) => produceWithPatches(state, edit)[1]),
  "mutative 2": repeated((state, edit) => create(state, edit, mutativePatches)[1]),
};

/** Always from the same state, whose cards are changed in turn. */
function repeated(step: (state: State, edit: (draft: State) => void) => unknown) {
  return ({ idiom }: { readonly idiom: string }): Run => {
    const state = start();
    const edit = IDIOMS[idiom];
    if (edit === undefined) throw new Error(`there is no idiom "${idiom}"`);
    let n = 0;
    return (count) => {
      for (let i = 0; i < count; i++) {
        n += 1;
        step(state, (draft) => edit(draft, `T-${(n * 37) % CARDS}`, n));
      }
    };
  };
}
