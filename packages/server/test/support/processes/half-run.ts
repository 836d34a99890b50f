// An agent that stops after three of its six calls, and makes the others when its run is continued.

import type { Agent } from "../../../src/index.ts";
import { addCard } from "../board.ts";

const CALLS = [1, 2, 3, 4, 5, 6];
const robot = { kind: "agent", id: "robot" };

export const halfRun: Agent = async function* ({ thread, input: { runId }, continues }) {
  const origin = continues ?? runId;
  const cards = JSON.stringify(thread.getState());
  const toDo = CALLS.filter((index) => !cards.includes(`"${origin}-c${index}"`));
  if (continues === undefined)
    for (const index of CALLS) {
      yield { type: "TOOL_CALL_START", toolCallId: `${origin}-t${index}`, toolCallName: "addCard" };
      yield { type: "TOOL_CALL_END", toolCallId: `${origin}-t${index}` };
    }
  for (const index of toDo) {
    if (index > 3 && continues === undefined) await new Promise(() => undefined);
    const toolCallId = `${origin}-t${index}`;
    await thread.dispatch(addCard(`${origin}-c${index}`), { actor: robot, runId, toolCallId });
    yield { type: "TOOL_CALL_RESULT", messageId: `${origin}-r${index}`, toolCallId, content: "done" };
  }
};
