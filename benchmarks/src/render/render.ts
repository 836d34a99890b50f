// What a page takes to show one edit: 1,000 components in Chromium, of React and of Svelte, each
// reading one title of one board of 1,000 cards.

import { lowerQuartile } from "../harness/median.ts";
import type { Table } from "../harness/results.ts";
import { short } from "../harness/short.ts";
import { type Candidate, openPages } from "./pages.ts";
import type { RoundResult } from "./rounds.ts";

export const RENDERING = "1,000 components, one edit, until the DOM has it";
export const RENDERED = "Components that render for it, until everything is done";
const DONE = "The same, until the verdict came and all is done";

export const HEAD = "1,000 components";
export const RENDER_ROW = {
  zustand: "zustand 5",
  local: "`createLocal`",
  optimistic: "`createClient`, in process",
  optimisticPage: "`createClient`, in process, page's build",
  svelteStore: "Svelte 5: `svelte/store`",
  svelteLocal: "Svelte 5: `createLocal`",
  svelteOptimistic: "Svelte 5: `createClient`, in process",
  svelteOptimisticPage: "Svelte 5: `createClient`, in process, page's build",
} as const;

const CANDIDATES: Readonly<Record<string, Candidate>> = {
  [RENDER_ROW.zustand]: { store: "zustand", build: "full" },
  [RENDER_ROW.local]: { store: "local", build: "full" },
  [RENDER_ROW.optimistic]: { store: "optimistic", build: "full" },
  [RENDER_ROW.optimisticPage]: { store: "optimistic", build: "page" },
  "jotai 3": { store: "jotai", build: "full" },
  "valtio 2": { store: "valtio", build: "full" },
  "TanStack Store 0.11": { store: "tanstack", build: "full" },
  [RENDER_ROW.svelteStore]: { store: "store", build: "full", framework: "svelte" },
  "Svelte 5: `$state`": { store: "state", build: "full", framework: "svelte" },
  "Svelte 5: `$state.raw`": { store: "raw", build: "full", framework: "svelte" },
  [RENDER_ROW.svelteLocal]: { store: "local", build: "full", framework: "svelte" },
  [RENDER_ROW.svelteOptimistic]: { store: "optimistic", build: "full", framework: "svelte" },
  [RENDER_ROW.svelteOptimisticPage]: { store: "optimistic", build: "page", framework: "svelte" },
};

/** Each with two tasks after it, so a round is about half a second. */
const EDITS = 50;
const ROUNDS = Number(process.env["ROUNDS"] ?? (short ? 10 : 25));
const WARM_UP_ROUNDS = 5;

export async function renderTables(): Promise<readonly Table[]> {
  const pages = await openPages(Object.values(CANDIDATES));
  const names = Object.keys(CANDIDATES);
  const rounds = names.map((): RoundResult[] => []);
  try {
    for (let n = 0; n < WARM_UP_ROUNDS + ROUNDS; n++) {
      for (const [candidate, results] of rounds.entries()) {
        const result = await pages.round(candidate, EDITS);
        if (n >= WARM_UP_ROUNDS) results.push(result);
      }
    }
  } finally {
    await pages.close();
  }
  // Of single edits, not of whole rounds: what else the machine does comes between some of them.
  const column = (of: (results: readonly RoundResult[]) => number) => ({
    [HEAD]: Object.fromEntries(names.map((name, index) => [name, of(rounds[index] ?? [])])),
  });
  return [
    { title: RENDERING, unit: "µs", columns: column((all) => lowerQuartile(all.flatMap(({ shown }) => shown))) },
    { title: DONE, unit: "µs", columns: column((all) => lowerQuartile(all.flatMap(({ done }) => done))) },
    {
      title: RENDERED,
      unit: "operations",
      columns: column((all) => Math.max(...all.flatMap(({ renders }) => renders))),
    },
  ];
}
