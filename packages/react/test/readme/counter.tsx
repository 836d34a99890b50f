import { defineState, memoryLog, openThread } from "@opstate/core";
import { useAgentState, useCan, useDispatch } from "@opstate/react";
import { z } from "zod";

const counter = defineState({
  name: "counter",
  schema: z.object({ count: z.int().max(3) }),
  initial: { count: 0 },
  operations: {
    add: {
      input: z.object({ by: z.int() }),
      apply(draft, { by }) {
        draft.count += by;
      },
    },
  },
});
const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "demo" });

export function Counter() {
  const count = useAgentState(thread, (state) => state.count);
  const dispatch = useDispatch(thread);
  const refused = useCan(thread, counter.op.add({ by: 1 }));
  const add = () => void dispatch(counter.op.add({ by: 1 }), { actor: { kind: "user", id: "ada" } });
  return (
    <button disabled={refused !== undefined} title={refused?.message} onClick={add}>
      {count}
    </button>
  );
}
