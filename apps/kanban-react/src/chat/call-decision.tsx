// A proposed call with what became of it on the thread around it, and while it waits with the
// decision.

import type { Call } from "@opstate/kanban-page/chat/transcript.ts";
import { decidedVerdict, waitingVerdict } from "@opstate/kanban-page/chat/verdict.ts";
import type { ProposalOutcome } from "@opstate/react";
import { useRef } from "react";
import { Decision } from "../proposals/decision.tsx";
import { useProposalLine } from "../proposals/use-proposal-line.ts";
import { useSession } from "../session-context.ts";
import { CallLine } from "./call-line.tsx";

interface CallDecisionProps {
  readonly call: Call;
  readonly asked: ProposalOutcome;
  readonly onBranch?: boolean;
}

export function CallDecision({ call, asked: { outcome, loading }, onBranch = false }: CallDecisionProps) {
  const { user } = useSession();
  const root = useRef<HTMLDivElement>(null);
  const line = useProposalLine(outcome?.status === "open" && !loading ? outcome.proposal : undefined);
  return (
    <div ref={root} className="call-proposal" data-open={line ? "" : undefined}>
      <CallLine call={call} verdict={line ? waitingVerdict(line, onBranch) : decidedVerdict(outcome, user)} />
      {line && (
        <div className="call-decision" role="group" aria-label={`Decide: ${line.sentence}`}>
          <Decision line={line} place="chat" root={root} />
        </div>
      )}
    </div>
  );
}
