// A proposed call, decided where it was proposed: on the board, or on the branch that the agent
// works on.

import type { Call } from "@opstate/kanban-page/chat/transcript.ts";
import { useProposalOutcome } from "@opstate/react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { Board } from "../board-context.ts";
import { SessionContext, useSession } from "../session-context.ts";
import { CallDecision } from "./call-decision.tsx";

export function ProposedCall({ call, id }: { call: Call; id: string }) {
  const session = useSession();
  const branch = useStore(session.branch, ({ open }) => open?.board);
  const onBranch = useMemo(() => ({ ...session, ...branch }), [session, branch]);
  const here = useProposalOutcome(Board.useThread(), id);
  const there = useProposalOutcome(onBranch.thread, id);
  if (here.outcome !== undefined || there.outcome === undefined) return <CallDecision call={call} asked={here} />;
  return (
    <SessionContext value={onBranch}>
      <Board.Provider thread={onBranch.thread}>
        <CallDecision call={call} asked={there} onBranch />
      </Board.Provider>
    </SessionContext>
  );
}
