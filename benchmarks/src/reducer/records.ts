// One key of a record of 10,000: written, added, deleted, in production mode, with both patches.

import { defineState } from "@opstate/core";
import { produceWithPatches } from "immer";
import { create } from "mutative";
import { z } from "zod";
import { deepFreeze, FrozenParts, recordingDrafts } from "../boards/internals.ts";
import type { Run } from "../harness/measure.ts";
import { mutativePatches } from "../boards/peers.ts";

interface Card {
  readonly title: string;
  readonly points: number;
}
interface State {
  cards: Record<string, Card>;
}
interface Edit {
  readonly id: string;
  readonly n: number;
}

export const KEYS = 10_000;

interface Way {
  readonly edit: (draft: State, edit: Edit) => void;
  readonly byHand: (state: State, edit: Edit) => State;
}

/** Each changes something, so that no library can leave the patches out. */
export const WRITES: Readonly<Record<string, Way>> = {
  "one key written": {
    edit: (draft, { id, n }) => {
      draft.cards[id] = { title: `Card ${n}`, points: n };
    },
    byHand: (state, { id, n }) => ({ ...state, cards: { ...state.cards, [id]: { title: `Card ${n}`, points: n } } }),
  },
  "one value edited": {
    edit: (draft, { id, n }) => {
      Object.assign(draft.cards[id] ?? {}, { points: n });
    },
    byHand: (state, { id, n }) => ({
      ...state,
      cards: { ...state.cards, [id]: { ...(state.cards[id] as Card), points: n } },
    }),
  },
  "one key added": {
    edit: (draft, { n }) => {
      draft.cards[`new-${n}`] = { title: `Card ${n}`, points: n };
    },
    byHand: (state, { n }) => ({
      ...state,
      cards: { ...state.cards, [`new-${n}`]: { title: `Card ${n}`, points: n } },
    }),
  },
  "one key deleted": {
    edit: (draft, { id }) => {
      delete draft.cards[id];
    },
    byHand: (state, { id }) => {
      const { [id]: _, ...cards } = state.cards;
      return { ...state, cards };
    },
  },
};

const definition = defineState({
  name: "cards",
  schema: z.object({ cards: z.record(z.string(), z.object({ title: z.string(), points: z.number() })) }),
  initial: null,
  operations: Object.fromEntries(
    Object.entries(WRITES).map(([type, { edit }]) => [
      typeOf(type),
      {
        input: z.object({ id: z.string(), n: z.number() }),
        apply: (draft: State, input: Edit) => edit(draft, input),
      },
    ]),
  ),
});

/** A name that an operation may have. */
function typeOf(write: string): string {
  return write.replaceAll(" ", "_");
}

const frozen = new FrozenParts("objects");

export const ROW = {
  hand: "hand-written spread",
  whole: "**opstate**: operation parsed, applied, touched parts validated, both patches",
  draft: "opstate's draft and both patches only",
  immer: "immer 11, both patches",
  mutative: "mutative 2, both patches",
} as const;

export const candidates = {
  [ROW.hand]: writer(({ byHand }) => byHand, false),
  [ROW.whole]: writer((_, write) => (state, edit) => {
    const result = definition.transition(state, { type: typeOf(write), ...edit });
    if (!result.accepted) throw new Error(result.rejection.message);
    return result.state as State;
  }),
  [ROW.draft]: writer(({ edit }) => (state, given) => {
    const drafting = recordingDrafts.begin(state, { freeze: "objects", frozen });
    edit(drafting.draft as State, given);
    return drafting.finish().state as State;
  }),
  [ROW.immer]: writer(
    ({ edit }) =>
      (state, given) =>
        produceWithPatches(state, (draft) => edit(draft, given))[0],
  ),
  [ROW.mutative]: writer(
    ({ edit }) =>
      (state, given) =>
        create(state, (draft) => edit(draft, given), mutativePatches)[0],
  ),
};

/** One write after another, each on what the one before it left; after 100, from the start. */
function writer(stepOf: (way: Way, write: string) => (state: State, edit: Edit) => State, freezes = true) {
  return ({ write }: { readonly write: string }): Run => {
    const way = WRITES[write];
    if (way === undefined) throw new Error(`there is no write "${write}"`);
    const step = stepOf(way, write);
    const cards: State["cards"] = {};
    for (let n = 0; n < KEYS; n++) cards[`T-${n}`] = { title: `Card ${n}`, points: n % 7 };
    const made = { cards };
    // One write ahead, so that a library that adopts a foreign state has done so.
    const start = step(freezes ? deepFreeze(made, "objects") : made, { id: "T-0", n: -1 });
    let state = start;
    let n = 0;
    return (count) => {
      for (let i = 0; i < count; i++) {
        n += 1;
        if (n % 100 === 0) state = start;
        state = step(state, { id: `T-${1 + ((n * 37) % (KEYS - 1))}`, n });
      }
    };
  };
}
