// What the agent did, by the log.

import type { DemoServer } from "./server.ts";

interface Entry {
  readonly commit?: { readonly actor: { readonly kind: string }; readonly operation: { readonly cardId?: string } };
}

/** The cards that it moved, in order. */
export async function movesIn(server: DemoServer): Promise<readonly unknown[]> {
  const entries = (await server.get("/threads/demo/history?limit=1000")) as readonly Entry[];
  return entries.flatMap(({ commit }) => (commit?.actor.kind === "agent" ? [commit.operation.cardId] : []));
}
