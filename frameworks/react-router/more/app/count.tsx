import { board } from "./board.ts";
import { Board } from "./board-context.ts";

export default function Count() {
  const open = Board.useSuspenseAgentState((state) => state.open);
  const status = Board.useSync((sync) => sync.status);
  const dispatch = Board.useDispatch();
  return (
    <>
      <h2>{open} open</h2>
      <p role="status">{status}</p>
      <button onClick={() => void dispatch(board.op.add({ title: "Late" }))}>Add</button>
    </>
  );
}
