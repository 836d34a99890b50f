// A page without a loader: what the connection says is all that it knows.

import { Board, client } from "../board-context.ts";
import { Cards } from "../cards.tsx";
import type { Route } from "./+types/plain.ts";

export default function PlainPage({ params: { id } }: Route.ComponentProps) {
  return (
    <Board.Provider client={client} threadId={id}>
      <h1>{id}</h1>
      <Cards />
    </Board.Provider>
  );
}
