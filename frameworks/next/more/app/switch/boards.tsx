"use client";

import Link from "next/link";
import { useParams } from "next/navigation";
import { board } from "../../board.ts";
import { Board, client } from "../../client.ts";

/** It stays when the parameter changes: the provider gets another `threadId`. */
export function Boards() {
  const { id } = useParams<{ id: string }>();
  return (
    <Board.Provider client={client} threadId={id}>
      <Link href="/switch/launch">To launch</Link> <Link href="/switch/garden">To garden</Link>
      <Titles />
    </Board.Provider>
  );
}

function Titles() {
  const { cards } = Board.useAgentState();
  const { threadId } = Board.useThread();
  const status = Board.useSync((sync) => sync.status);
  const dispatch = Board.useDispatch();
  return (
    <main>
      <h1>{threadId}</h1>
      <p role="status">{status === "online" ? "Live" : status}</p>
      <button onClick={() => void dispatch(board.op.add({ title: `Edit of ${threadId}` }))}>Add</button>
      <ul>
        {cards.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </main>
  );
}
