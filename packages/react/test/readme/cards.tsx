import { useAgentState, useDispatch } from "@opstate/react";
import { board, thread } from "./board.ts";

export function Cards() {
  const cards = useAgentState(thread, (state) => state.cards);
  const dispatch = useDispatch(thread);
  return cards.map(({ id, title, done }) => (
    <label key={id}>
      <input
        type="checkbox"
        checked={done}
        onChange={() => void dispatch(board.op.finish({ id }), { actor: { kind: "user", id: "ada" } })}
      />
      {title}
    </label>
  ));
}
