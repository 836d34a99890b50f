// The board that a proposal to replace it would make. It opens by itself in the board's place, with
// the decision above it; the board is one click away.

import {
  isBoardInUse,
  proposedWords,
  replacedBoard,
  replacementIn,
} from "@opstate/kanban-page/proposals/replacement.ts";
import type { Proposal } from "@opstate/core";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useEffect, useRef, useState } from "react";
import { Board } from "../board-context.ts";
import { StillColumns } from "../board/still-columns.tsx";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";
import { Decision } from "./decision.tsx";
import { useProposalLine } from "./use-proposal-line.ts";

/** All of it is new. With it each list scrolls by itself. */
const noDifference = () => undefined;

export function ProposedBoard() {
  const proposal = replacementIn(Board.useProposals().proposals);
  return proposal && <Replacement key={proposal.version} proposal={proposal} />;
}

function Replacement({ proposal }: { proposal: Proposal }) {
  const { user, announcer } = useSession();
  const root = useRef<HTMLElement>(null);
  const line = useProposalLine(proposal);
  const columns = replacedBoard(Board.useAgentState(), proposal)?.columns;
  const [wanted, setWanted] = useState(() => !isBoardInUse());
  const isShown = wanted && columns !== undefined;
  const words = proposedWords(proposal, user);
  const { sentence } = line;
  useEffect(() => announcer.say(`${words}: ${sentence}.`), [announcer, words, sentence]);
  return (
    <section ref={root} className="proposed-board" data-shown={isShown ? "" : undefined} aria-label="Proposed board">
      <div className="proposed-head">
        <p className="proposed-words">
          <Mark kind={proposal.actor.kind} size={9} />
          <strong>{words}</strong>
          <span className="proposed-sentence">
            <Words>{sentence}</Words>
          </span>
        </p>
        {columns && (
          <div className="segments small" role="group" aria-label="Show">
            {[true, false].map((proposed) => (
              <button
                key={String(proposed)}
                type="button"
                className="segment"
                aria-pressed={isShown === proposed}
                onClick={() => setWanted(proposed)}
              >
                {proposed ? "Proposed" : "As it is"}
              </button>
            ))}
          </div>
        )}
        <Decision line={line} place="board" root={root} />
      </div>
      {isShown && (
        <div className="board still-board" tabIndex={0} role="group" aria-label="The proposed board, read only">
          <StillColumns columns={columns} where=", proposed" differenceOf={noDifference} />
        </div>
      )}
    </section>
  );
}
