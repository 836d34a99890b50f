// One board in each of the ways that Svelte has for state, and how a component reads one title of
// it. Each is used as its own documentation shows it for a slice of a larger state.

import { AgentState } from "@opstate/svelte";
import type { Component } from "svelte";
import { derived, type Readable, writable } from "svelte/store";
import { cardOf, initial, type Place, renamed, titleAt } from "../board.ts";
import { editOf, localBoard, optimisticBoard } from "../own-stores.ts";
import type { Edit } from "../rounds.ts";
import RuneCard from "./rune-card.svelte";
import StoreCard from "./store-card.svelte";

type Title = string | undefined;

export interface Store {
  readonly Card: Component<Record<string, unknown>>;
  /** Called while a component is created. */
  readonly titleOf: (place: Place) => { readonly current: Title } | Readable<Title>;
  readonly edit: Edit;
}

export const STORES: Readonly<Record<string, () => Store | Promise<Store>>> = {
  store() {
    const board = writable(initial);
    return {
      Card: StoreCard,
      titleOf: (place) => derived(board, (now) => titleAt(now, place)),
      edit: (cardId, title) => void board.update((now) => renamed(now, cardId, title)),
    };
  },
  state() {
    const board = $state(structuredClone(initial));
    return {
      Card: RuneCard,
      titleOf: (place) => ({
        get current() {
          return titleAt(board, place);
        },
      }),
      edit(cardId, title) {
        const card = cardOf(board, cardId);
        if (card !== undefined) card.title = title;
        return undefined;
      },
    };
  },
  raw() {
    let board = $state.raw(initial);
    return {
      Card: RuneCard,
      titleOf(place) {
        const title = $derived(titleAt(board, place));
        return {
          get current() {
            return title;
          },
        };
      },
      edit(cardId, title) {
        board = renamed(board, cardId, title);
        return undefined;
      },
    };
  },
  local: () => ownStore(localBoard()),
  optimistic: async () => ownStore(await optimisticBoard()),
};

function ownStore(source: ReturnType<typeof localBoard>): Store {
  const board = new AgentState(source);
  return {
    Card: RuneCard,
    titleOf: (place) => board.select((now) => titleAt(now, place)),
    edit: editOf(source),
  };
}
