"use client";

import { Board, client } from "../../../client.ts";

export function Waiting({ threadId }: { readonly threadId: string }) {
  return (
    <Board.Provider client={client} threadId={threadId}>
      <Titles />
    </Board.Provider>
  );
}

function Titles() {
  const cards = Board.useSuspenseAgentState((state) => state.cards);
  const status = Board.useSync((sync) => sync.status);
  return (
    <main>
      <p role="status">{status === "online" ? "Live" : status}</p>
      <ul>
        {cards.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </main>
  );
}
