// A page that the browser alone renders: its code is loaded late, and it waits for its thread under
// a boundary that is above the provider.

import { lazy, Suspense } from "react";
import { Board, client } from "../board-context.ts";
import type { Route } from "./+types/late.ts";

const Count = lazy(() => import("../count.tsx"));

export async function clientLoader() {
  return null;
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <p>Opening</p>;
}

export default function LatePage({ params: { id } }: Route.ComponentProps) {
  return (
    <Suspense fallback={<p>Opening</p>}>
      <Board.Provider client={client} threadId={id}>
        <Count />
      </Board.Provider>
    </Suspense>
  );
}
