// The entries of one run in a bracket, with a button to undo the run.

import { useChat } from "@opstate/react";
import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { Board, useLog } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { TakeBackNote } from "../undo/take-back-note.tsx";
import { Entry } from "./entry.tsx";
import type { Run } from "@opstate/kanban-page/timeline/group-runs.ts";
import { runStatus } from "@opstate/kanban-page/timeline/run-status.ts";

export function RunBracket({ run }: { run: Run }) {
  const { chat, takeBack } = useSession();
  const { runId, entries } = run;
  const question = useChat(chat, ({ questions }) => questions[runId]);
  const { proposals } = Board.useProposals();
  const hasOpenProposals = proposals.some((proposal) => proposal.runId === runId);
  const { busy } = useStore(takeBack);
  const { what, undone, step } = runStatus(
    run,
    useLog((log) => log),
    hasOpenProposals,
  );
  return (
    <li className="run" data-run={runId} data-undone={undone ? "" : undefined}>
      <div className="run-head">
        <p className="run-title">
          <span>{`Run · ${what}`}</span>
          {question !== undefined && <q className="run-question">{question}</q>}
        </p>
        {step && (
          <button
            type="button"
            className="button small"
            disabled={busy}
            title={step.title}
            onClick={() => void takeBack.run(runId, step)}
          >
            <Icon name={step.icon} />
            {step.label}
          </button>
        )}
      </div>
      <TakeBackNote about={runId} />
      <ol className="run-entries" aria-label={`What the run did: ${what}`}>
        {entries.map((entry) => (
          <Entry key={entry.key} entry={entry} within={runId} />
        ))}
      </ol>
    </li>
  );
}
