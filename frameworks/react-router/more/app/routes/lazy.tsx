// The same, rendered by the server up to the boundary.

import { lazy, Suspense } from "react";
import { Board, client } from "../board-context.ts";
import type { Route } from "./+types/lazy.ts";

const Count = lazy(() => import("../count.tsx"));

export default function LazyPage({ params: { id } }: Route.ComponentProps) {
  return (
    <Suspense fallback={<p>Opening</p>}>
      <Board.Provider client={client} threadId={id}>
        <Count />
      </Board.Provider>
    </Suspense>
  );
}
