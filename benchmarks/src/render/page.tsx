// The page of one candidate: 1,000 components that read one title each, and rounds of edits.

import { memo, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { type Place, places } from "./board.ts";
import { type Store, STORES } from "./stores.ts";

/** Of each edit, in µs. */
export interface RoundResult {
  /** From the call of the edit to the layout effect of the component that shows it. */
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

let renders = 0;
let edited = 0;
let onCommit = (): void => undefined;

function components({ useTitle }: Store) {
  const Card = memo(function Card({ place }: { readonly place: Place }) {
    renders += 1;
    const title = useTitle(place);
    useLayoutEffect(() => onCommit());
    return <li id={place.cardId}>{title}</li>;
  });
  return function Board() {
    return (
      <ul>
        {places.map((place) => (
          <Card key={place.cardId} place={place} />
        ))}
      </ul>
    );
  };
}

async function mount(): Promise<void> {
  const open = STORES[new URLSearchParams(location.search).get("store") ?? ""];
  const root = document.getElementById("root");
  if (open === undefined || root === null) throw new Error("the page was asked for a store that it does not have");
  const store = await open();
  const Board = components(store);
  createRoot(root).render(<Board />);
  await settled();
  globalThis.round = (edits) => round(store, edits);
}

const button = document.createElement("button");

async function round(store: Store, edits: number): Promise<RoundResult> {
  const result = { shown: [] as number[], done: [] as number[], renders: [] as number[] };
  for (let n = 0; n < edits; n++) {
    edited += 1;
    renders = 0;
    // Another component each time, far from the one before.
    const place = places[(edited * 389) % places.length];
    const title = `Title ${edited}`;
    if (place === undefined) throw new Error("no card");
    const committedAt = new Promise<number>((resolve) => (onCommit = () => resolve(performance.now())));
    let start = 0;
    let verdict: Promise<unknown> | undefined;
    // In an event, as a person's edit is: React gives it the same priority for every store.
    const edit = () => {
      start = performance.now();
      verdict = store.edit(place.cardId, title);
    };
    button.addEventListener("click", edit, { once: true });
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
}

/** Tasks later: what is to follow an edit, such as a component's effects, has run. */
async function settled(): Promise<void> {
  for (let n = 0; n < 2; n++) await new Promise((resolve) => setTimeout(resolve));
}

globalThis.isMounted = mount();
