// A tool call in the conversation. One that was proposed can be decided there, and says what became
// of it.

import type { Call } from "@opstate/kanban-page/chat/transcript.ts";
import { verdictOf } from "@opstate/kanban-page/chat/verdict.ts";
import { CallLine } from "./call-line.tsx";
import { ProposedCall } from "./proposed-call.tsx";

export function ToolCall({ call, running }: { call: Call; running: boolean }) {
  const proposal = call.outcome?.proposal;
  return proposal === undefined ? (
    <CallLine call={call} verdict={verdictOf(call, running)} />
  ) : (
    <ProposedCall call={call} id={proposal} />
  );
}
