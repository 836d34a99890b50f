// The page of one candidate: 1,000 components that read one title each, and rounds of edits.

import { memo, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { type Place, places } from "./board.ts";
import { type Store, STORES } from "./stores.ts";

export interface RoundResult {
  /** From the call of the edit to the layout effect of the component that shows it; the mean, in µs. */
  readonly shown: number;
  /** Until the verdict came and all that follows it was done; the mean, in µs. */
  readonly done: number;
  /** Renders of components for each edit, until all was done. */
  readonly renders: number;
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
  let shown = 0;
  let done = 0;
  renders = 0;
  for (let n = 0; n < edits; n++) {
    edited += 1;
    // Another component each time, far from the one before.
    const place = places[(edited * 389) % places.length];
    const title = `Title ${edited}`;
    if (place === undefined) throw new Error("no card");
    const committedAt = new Promise<number>((resolve) => (onCommit = () => resolve(performance.now())));
    let start = 0;
    let verdict: Promise<unknown> | undefined;
    // In an event, as a person's edit is: React gives it the same priority for every store.
    button.onclick = () => {
      start = performance.now();
      verdict = store.edit(place.cardId, title);
    };
    button.click();
    shown += (await committedAt) - start;
    await verdict;
    done += performance.now() - start;
    // Each edit is on its own, as those of a person are.
    await settled();
    if (document.getElementById(place.cardId)?.textContent !== title) throw new Error(`"${title}" is not shown`);
  }
  return { shown: (shown * 1000) / edits, done: (done * 1000) / edits, renders: renders / edits };
}

/** Tasks later: what is to follow an edit, such as a component's effects, has run. */
async function settled(): Promise<void> {
  for (let n = 0; n < 2; n++) await new Promise((resolve) => setTimeout(resolve));
}

globalThis.isMounted = mount();
