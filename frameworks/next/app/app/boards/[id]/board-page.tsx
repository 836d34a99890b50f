"use client";

import type { ThreadOptions } from "@opstate/client";
import { useState } from "react";
import { board } from "../../../board.ts";
import { Board, client } from "../../../client.ts";

interface BoardPageProps extends ThreadOptions<typeof board> {
  readonly threadId: string;
}

export function BoardPage({ threadId, initial }: BoardPageProps) {
  return (
    <Board.Provider client={client} threadId={threadId} initial={initial}>
      <Cards />
    </Board.Provider>
  );
}

function Cards() {
  const { cards, open } = Board.useAgentState();
  const dispatch = Board.useDispatch();
  const { status, error, ready, pending, rejections } = Board.useSync();
  const [title, setTitle] = useState("");
  const refused = Board.useCan(board.op.add({ title }));
  if (!ready && error) return <p role="alert">{error.message}</p>;
  const add = () => {
    void dispatch(board.op.add({ title }));
    setTitle("");
  };
  return (
    <main>
      <h1>{open} open</h1>
      {cards.map(({ id, title, done }) => (
        <label key={id} style={{ display: "block" }}>
          <input
            type="checkbox"
            checked={done}
            disabled={done}
            onChange={() => void dispatch(board.op.finish({ id }))}
          />{" "}
          {title}
        </label>
      ))}
      <input aria-label="Title" value={title} onChange={(event) => setTitle(event.target.value)} />
      <button disabled={refused !== undefined} onClick={add}>
        Add
      </button>
      <p role="status">{status === "online" ? "Live" : `${status}, ${pending.length} edits wait`}</p>
      {rejections.map(({ id, verdict }) => (
        <p key={id} role="alert">
          Taken back: {verdict.rejection.message}
        </p>
      ))}
    </main>
  );
}
