// One board in each of the stores, and how a component reads one title of it. Each is used as its
// own documentation shows it for a slice of a larger state.

import { useAgentState } from "@opstate/react";
import { createStore as createTanStackStore, useSelector } from "@tanstack/react-store";
import { atom, createStore as createJotaiStore, useAtomValue } from "jotai";
import { useMemo } from "react";
import { proxy, useSnapshot } from "valtio";
import { create } from "zustand";
import { cardOf, initial, type Place, renamed, titleAt } from "./board.ts";
import { editOf, localBoard, optimisticBoard } from "./own-stores.ts";
import type { Edit } from "./rounds.ts";

export interface Store {
  /** A hook: the title at a place. */
  readonly useTitle: (place: Place) => string | undefined;
  readonly edit: Edit;
}

export const STORES: Readonly<Record<string, () => Store | Promise<Store>>> = {
  zustand() {
    const useBoard = create(() => initial);
    return {
      useTitle: (place) => useBoard((board) => titleAt(board, place)),
      edit: (cardId, title) => void useBoard.setState((board) => renamed(board, cardId, title)),
    };
  },
  jotai() {
    const store = createJotaiStore();
    const board = atom(initial);
    return {
      useTitle(place) {
        const title = useMemo(() => atom((get) => titleAt(get(board), place)), [place]);
        return useAtomValue(title, { store });
      },
      edit: (cardId, title) => void store.set(board, (now) => renamed(now, cardId, title)),
    };
  },
  valtio() {
    const board = proxy(structuredClone(initial));
    return {
      useTitle: ({ column, card }) => {
        const found = board.columns[column]?.cards[card];
        if (found === undefined) throw new Error("no card at this place");
        return useSnapshot(found).title;
      },
      edit(cardId, title) {
        const card = cardOf(board, cardId);
        if (card !== undefined) card.title = title;
        return undefined;
      },
    };
  },
  tanstack() {
    const board = createTanStackStore(initial);
    return {
      useTitle: (place) => useSelector(board, (now) => titleAt(now, place)),
      edit: (cardId, title) => void board.setState((now) => renamed(now, cardId, title)),
    };
  },
  local: () => ownStore(localBoard()),
  optimistic: async () => ownStore(await optimisticBoard()),
};

function ownStore(board: ReturnType<typeof localBoard>): Store {
  return { useTitle: (place) => useAgentState(board, (now) => titleAt(now, place)), edit: editOf(board) };
}
