// The page of one candidate in Svelte: 1,000 components that read one title each.

import { mount } from "svelte";
import { mountStore } from "../rounds.ts";
import Board from "./board.svelte";
import { STORES } from "./stores.svelte.ts";

globalThis.isMounted = mountStore(STORES, (root, store, rounds) => {
  mount(Board, { target: root, props: { Card: store.Card, store, rounds } });
});
