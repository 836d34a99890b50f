import { useState } from "react";
import { board } from "./board.ts";
import { Board } from "./board-context.ts";

export function Cards() {
  const { cards, open } = Board.useAgentState();
  const dispatch = Board.useDispatch();
  const { status, error, pending, rejections } = Board.useSync();
  const { canUndo, undo } = Board.useUndo();
  const { participants, show } = Board.usePresence();
  const [title, setTitle] = useState("");
  const refused = Board.useCan(board.op.add({ title }));
  const add = () => {
    void dispatch(board.op.add({ title }));
    setTitle("");
  };
  return (
    <>
      <h2>{open} open</h2>
      {cards.map(({ id, title, done }) => (
        <label key={id} style={{ display: "block" }}>
          <input
            type="checkbox"
            checked={done}
            disabled={done}
            onChange={() => void dispatch(board.op.finish({ id }))}
          />
          {title}
        </label>
      ))}
      <input
        aria-label="Title"
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onFocus={() => show({ typing: true })}
        onBlur={() => show({ typing: false })}
      />
      <button disabled={refused !== undefined} onClick={add}>
        Add
      </button>
      <button disabled={!canUndo} onClick={() => void undo()}>
        Undo
      </button>
      <p>{refused?.message}</p>
      {participants.map(({ session, actor, typing }) => (
        <p key={session}>
          {actor.id} {typing ? "is typing" : "is here"}
        </p>
      ))}
      <p role="status">{status === "online" ? "Live" : `${status}, ${pending.length} edits wait`}</p>
      {error && <p role="alert">{error.message}</p>}
      {rejections.map(({ id, verdict }) => (
        <p key={id} role="alert">
          Taken back: {verdict.rejection.message}
        </p>
      ))}
    </>
  );
}
