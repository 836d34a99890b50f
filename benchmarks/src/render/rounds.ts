// What the page of every candidate does, whatever framework it is made with: rounds of edits, each
// from a click to the component that shows it.

import { type Place, places } from "./board.ts";

/** Of each edit, in µs. */
export interface RoundResult {
  /** From the call of the edit to the effect of the component that shows it. */
  readonly shown: readonly number[];
  /** Until the verdict came and all that follows it was done. */
  readonly done: readonly number[];
  /** Renders of components, until all was done. */
  readonly renders: readonly number[];
}

declare global {
  var round: (edits: number) => Promise<RoundResult>;
  var isMounted: Promise<void>;
}

/** One edit. Resolves when nothing of it is left to do: with an authority, after its verdict. */
export type Edit = (cardId: string, title: string) => Promise<unknown> | undefined;

/** What the components report. */
export interface Rounds {
  rendered(): void;
  /** The DOM has it. */
  committed(): void;
  run(edit: Edit, edits: number): Promise<RoundResult>;
}

/** Opens the store that the page's address names, and mounts the page over it. */
export async function mountStore<Store extends { readonly edit: Edit }>(
  stores: Readonly<Record<string, () => Store | Promise<Store>>>,
  mount: (root: HTMLElement, store: Store, rounds: Rounds) => void,
): Promise<void> {
  const open = stores[new URLSearchParams(location.search).get("store") ?? ""];
  const root = document.getElementById("root");
  if (open === undefined || root === null) throw new Error("the page was asked for a store that it does not have");
  const store = await open();
  const rounds = createRounds();
  mount(root, store, rounds);
  await settled();
  globalThis.round = (edits) => rounds.run(store.edit, edits);
}

function createRounds(): Rounds {
  const button = document.createElement("button");
  let renders = 0;
  let edited = 0;
  let onCommit = (): void => undefined;

  /** Another component each time, far from the one before. */
  function nextPlace(): Place {
    edited += 1;
    const place = places[(edited * 389) % places.length];
    if (place === undefined) throw new Error("no card");
    return place;
  }

  return {
    rendered: () => (renders += 1),
    committed: () => onCommit(),
    async run(edit, edits) {
      const result = { shown: [] as number[], done: [] as number[], renders: [] as number[] };
      for (let n = 0; n < edits; n++) {
        const place = nextPlace();
        const title = `Title ${edited}`;
        renders = 0;
        const committedAt = new Promise<number>((resolve) => (onCommit = () => resolve(performance.now())));
        let start = 0;
        let verdict: Promise<unknown> | undefined;
        // In an event, as a person's edit is: React gives it the same priority for every store.
        const click = () => {
          start = performance.now();
          verdict = edit(place.cardId, title);
        };
        button.addEventListener("click", click, { once: true });
        button.click();
        result.shown.push(((await committedAt) - start) * 1000);
        await verdict;
        result.done.push((performance.now() - start) * 1000);
        // Each edit is on its own, as those of a person are.
        await settled();
        result.renders.push(renders);
        if (document.getElementById(place.cardId)?.textContent !== title) throw new Error(`"${title}" is not shown`);
      }
      return result;
    },
  };
}

/** Tasks later: what is to follow an edit, such as a component's effects, has run. */
async function settled(): Promise<void> {
  for (let n = 0; n < 2; n++) await new Promise((resolve) => setTimeout(resolve));
}
