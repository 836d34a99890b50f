// What a screen reader hears of a run: its beginning, and its answer when it is complete; word by
// word nobody could follow it.

import type { ChatState } from "@opstate/ag-ui";

export function Announcer({ state: { phase, messages, interrupts } }: { state: ChatState }) {
  return (
    <p className="spoken" role="status">
      {phase === "running"
        ? "The agent is working."
        : interrupts.length > 0
          ? "The agent asks you something."
          : answerIn(messages)}
    </p>
  );
}

function answerIn(messages: ChatState["messages"]): string {
  const last = messages.at(-1);
  return last?.role === "assistant" && last.content !== undefined ? `Agent: ${last.content}` : "";
}
