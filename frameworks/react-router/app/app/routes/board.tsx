import { data } from "react-router";
import { Board, client } from "../board-context.ts";
import { boards } from "../boards.server.ts";
import { Cards } from "../cards.tsx";
import type { Route } from "./+types/board.ts";

export async function loader({ params: { id }, request: { url, headers } }: Route.LoaderArgs) {
  const path = `/opstate/threads/${encodeURIComponent(id)}`;
  const response = await boards.fetch(new Request(new URL(path, url), { headers }));
  const body = await response.json();
  if (!response.ok) throw data(body.detail, response.status);
  return { initial: body };
}

export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch((error: unknown) => {
    // Without a connection the page shows what it has stored.
    if (error instanceof TypeError) return { initial: undefined };
    throw error;
  });
}

export default function BoardPage({ params: { id }, loaderData: { initial } }: Route.ComponentProps) {
  return (
    <Board.Provider client={client} threadId={id} initial={initial}>
      <h1>{id}</h1>
      <Cards />
    </Board.Provider>
  );
}
