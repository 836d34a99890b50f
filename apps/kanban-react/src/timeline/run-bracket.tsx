// What one run of the agent did, in a bracket, with the way to take all of it back.

import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { useSession } from "../session-context.ts";
import { ObstacleNote } from "../undo/obstacle-note.tsx";
import { Entry } from "./entry.tsx";
import type { Run } from "@opstate/kanban-page/timeline/group.ts";
import type { LogEntry } from "@opstate/kanban-page/timeline/narrate.ts";
import { wordsOf } from "@opstate/kanban-page/timeline/words.ts";

export function RunBracket({ run: { runId, entries, edits } }: { run: Run }) {
  const { log, chat, takeBack, thread, proposals } = useSession();
  const { undone, entries: all } = useStore(log);
  const question = useStore(chat, ({ questions }) => questions.get(runId));
  const open = useStore(proposals, ({ lines }) => lines.some(({ proposal }) => proposal.runId === runId));
  const { busy } = useStore(takeBack);
  const proposed = edits.length > 0 && edits.every(({ kind }) => kind === "propose");
  // Of what was only proposed, that which was accepted is what can be taken back.
  const done = proposed ? acceptedOf(edits, all) : edits;
  const standing = done.filter(({ version }) => !undone.has(version));
  const by = done.map(({ version }) => undone.get(version)).find((undo) => undo !== undefined);
  const what = edits.length === 0 ? "nothing changed" : count(edits.length, proposed ? "proposal" : "change");
  const target = proposed ? { ids: standing.map(({ id }) => id) } : { runId };
  const withdraws = proposed && open && standing.length === 0;
  return (
    <li className="run" data-run={runId} data-undone={done.length > 0 && standing.length === 0 ? "" : undefined}>
      <div className="run-head">
        <p className="run-title">
          <span>Run · {what}</span>
          {question !== undefined && <q className="run-question">{question}</q>}
        </p>
        {standing.length > 0 || withdraws ? (
          <button
            type="button"
            className="button small"
            disabled={busy}
            title={withdraws ? "Take back what this run proposed" : "Take back what this run did; later edits stay"}
            onClick={() =>
              void takeBack.attempt(runId, `The run is taken back: ${what}`, (options) =>
                thread.undo(withdraws ? { runId } : target, options),
              )
            }
          >
            <Icon name="undo" />
            {withdraws ? "Withdraw" : "Undo this run"}
          </button>
        ) : (
          by && (
            <button
              type="button"
              className="button small"
              disabled={busy}
              title={`Bring it back: ${wordsOf(by, all)}`}
              onClick={() => void takeBack.attempt(runId, `The run is done again: ${what}`, (options) => thread.redo(by.id, options))}
            >
              <Icon name="redo" />
              Redo this run
            </button>
          )
        )}
      </div>
      <ObstacleNote about={runId} />
      <ol className="run-entries" aria-label={`What the run did: ${what}`}>
        {entries.map((entry) => (
          <Entry key={entry.key} entry={entry} within={runId} />
        ))}
      </ol>
    </li>
  );
}

function acceptedOf(proposed: readonly LogEntry[], all: readonly LogEntry[]): readonly LogEntry[] {
  const versions = new Set(proposed.map(({ version }) => version));
  return all.filter(({ kind, proposedAt = 0 }) => kind === "approve" && versions.has(proposedAt));
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
