// A proposed call, with what became of it, and while it waits with the decision.

import type { Call } from "@opstate/kanban-page/chat/transcript.ts";
import { decidedVerdict, waitingVerdict } from "@opstate/kanban-page/chat/verdict.ts";
import { useProposalOutcome } from "@opstate/react";
import { useRef } from "react";
import { Board } from "../board-context.ts";
import { Decision } from "../proposals/decision.tsx";
import { useProposalLine } from "../proposals/use-proposal-line.ts";
import { useSession } from "../session-context.ts";
import { CallLine } from "./call-line.tsx";

export function ProposedCall({ call, id }: { call: Call; id: string }) {
  const { outcome, loading } = useProposalOutcome(Board.useThread(), id);
  const { user } = useSession();
  const root = useRef<HTMLDivElement>(null);
  const line = useProposalLine(outcome?.status === "open" && !loading ? outcome.proposal : undefined);
  return (
    <div ref={root} className="call-proposal" data-open={line ? "" : undefined}>
      <CallLine call={call} verdict={line ? waitingVerdict(line) : decidedVerdict(outcome, user)} />
      {line && (
        <div className="call-decision" role="group" aria-label={`Decide: ${line.sentence}`}>
          <Decision line={line} place="chat" root={root} />
        </div>
      )}
    </div>
  );
}
