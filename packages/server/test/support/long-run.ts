// A run of twenty steps with all that a run can have open, which a test lets go on one by one.

import type { Agent, AgentEvent } from "../../src/index.ts";
import { addCard } from "./board.ts";

const robot = { kind: "agent", id: "robot" };

/** How many steps the run of `longRun` has. */
export const STEPS = 20;

/** Lets a number of steps pass, and says how many have passed. */
export class Steps {
  #allowed = 0;
  #wake: (() => void)[] = [];
  started = 0;
  aborted = 0;

  allow(count: number): void {
    this.#allowed += count;
    for (const wake of this.#wake.splice(0)) wake();
  }

  async pass(): Promise<void> {
    while (this.#allowed === 0) await new Promise<void>((resolve) => this.#wake.push(resolve));
    this.#allowed -= 1;
  }
}

/** Text, tool calls with edits of the thread, reasoning, steps and subagents, one in the other. */
export function longRun(steps: Steps): Agent {
  return async function* ({ thread, input, signal }) {
    steps.started += 1;
    signal.addEventListener("abort", () => (steps.aborted += 1));
    const { runId } = input;
    yield { type: "REASONING_START", messageId: `${runId}-span` };
    yield { type: "REASONING_MESSAGE_START", messageId: `${runId}-thought`, role: "reasoning" };
    yield { type: "SUBAGENT_STARTED", subagentRunId: `${runId}-helper`, name: "helper" };
    for (let index = 1; index <= STEPS; index += 1) {
      await steps.pass();
      yield* stepOf(index, runId);
      const toolCallId = `${runId}-t${index}`;
      await thread.dispatch(addCard(`${runId}-c${index}`), { actor: robot, runId, toolCallId });
      yield { type: "TOOL_CALL_RESULT", messageId: `${runId}-r${index}`, toolCallId, content: `{"step":${index}}` };
      if (index % 3 === 0) yield { type: "STEP_FINISHED", stepName: `step ${index}` };
      if (index === 8) yield { type: "SUBAGENT_FINISHED", subagentRunId: `${runId}-helper`, result: "done" };
      if (index === 12) {
        yield { type: "REASONING_MESSAGE_END", messageId: `${runId}-thought` };
        yield { type: "REASONING_END", messageId: `${runId}-span` };
      }
    }
    yield { type: "TEXT_MESSAGE_END", messageId: `${runId}-all` };
    yield { type: "TOOL_CALL_START", toolCallId: `${runId}-page`, toolCallName: "askThePage" };
    yield { type: "TOOL_CALL_END", toolCallId: `${runId}-page` };
  };
}

function* stepOf(index: number, runId: string): Generator<AgentEvent> {
  if (index % 3 === 0) yield { type: "STEP_STARTED", stepName: `step ${index}` };
  if (index <= 12)
    yield { type: "REASONING_MESSAGE_CONTENT", messageId: `${runId}-thought`, delta: `think ${index}. ` };
  if (index === 1) yield { type: "TEXT_MESSAGE_START", messageId: `${runId}-all`, role: "assistant" };
  yield { type: "TEXT_MESSAGE_CONTENT", messageId: `${runId}-all`, delta: `Step ${index}. ` };
  yield {
    type: "TOOL_CALL_START",
    toolCallId: `${runId}-t${index}`,
    toolCallName: "addCard",
    ...(index < 8 && { subagentRunId: `${runId}-helper` }),
  };
  yield { type: "TOOL_CALL_ARGS", toolCallId: `${runId}-t${index}`, delta: '{"title":' };
  yield { type: "TOOL_CALL_ARGS", toolCallId: `${runId}-t${index}`, delta: `"Card ${index}"}` };
  yield { type: "TOOL_CALL_END", toolCallId: `${runId}-t${index}` };
}
