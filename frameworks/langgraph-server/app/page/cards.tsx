import { useState } from "react";
import { board } from "../board.ts";
import { Board } from "./board-context.ts";

export function Cards() {
  const { cards } = Board.useAgentState();
  const dispatch = Board.useDispatch();
  const { status } = Board.useSync();
  const { proposals, approve, decline } = Board.useProposals();
  const [title, setTitle] = useState("");
  const refused = Board.useCan(board.op.add({ title }));
  const add = () => {
    void dispatch(board.op.add({ title }));
    setTitle("");
  };
  return (
    <main>
      <ul aria-label="Cards">
        {cards.map(({ id, title, column }) => (
          <li key={id}>
            {title}: {column}{" "}
            <button onClick={() => void dispatch(board.op.move({ id, to: "done" }))}>Finish {title}</button>
          </li>
        ))}
      </ul>
      <input aria-label="Title" value={title} onChange={(event) => setTitle(event.target.value)} />
      <button disabled={refused !== undefined} onClick={add}>
        Add
      </button>
      <ul aria-label="Proposals">
        {proposals.map((proposal) => (
          <li key={proposal.version}>
            {proposal.actor.id}: {proposal.sentence} <button onClick={() => void approve(proposal)}>Approve</button>
            <button onClick={() => void decline(proposal)}>Decline</button>
          </li>
        ))}
      </ul>
      <p role="status">{status === "online" ? "Live" : status}</p>
    </main>
  );
}
