// The page of one candidate: 1,000 components that read one title each.

import { memo, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { type Place, places } from "./board.ts";
import { mountStore, type Rounds } from "./rounds.ts";
import { type Store, STORES } from "./stores.ts";

function components({ useTitle }: Store, { rendered, committed }: Rounds) {
  const Card = memo(function Card({ place }: { readonly place: Place }) {
    rendered();
    const title = useTitle(place);
    useLayoutEffect(() => committed());
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

globalThis.isMounted = mountStore(STORES, (root, store, rounds) => {
  const Board = components(store, rounds);
  createRoot(root).render(<Board />);
});
