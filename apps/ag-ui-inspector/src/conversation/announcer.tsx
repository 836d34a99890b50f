// Announcements for screen readers: the start of a run, and its complete answer.

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
