// Why the last run did not end well, and what can be done about it.

import type { Conversation } from "@opstate/kanban-page/chat/late-conversation.ts";
import { stoppedOffer } from "@opstate/kanban-page/chat/stopped-offer.ts";
import { lastQuestion, runProblem } from "@opstate/kanban-page/chat/transcript.ts";
import { useChat } from "@opstate/react";
import { useStore } from "zustand";
import { useLog } from "../board-context.ts";
import { useSession } from "../session-context.ts";

export function RunProblem({ chat, onSend }: { chat: Conversation; onSend: (text: string) => void }) {
  const { takeBack } = useSession();
  const { continueRun, ...conversation } = useChat(chat);
  const { busy } = useStore(takeBack);
  const stopped = stoppedOffer(
    conversation,
    useLog((log) => log),
  );
  const problem = stopped?.words ?? runProblem(conversation);
  if (problem === undefined) return null;
  const undo = stopped?.undo;
  return (
    <div className="message problem" role="alert">
      <p>{problem}</p>
      {stopped?.continuable && (
        <button type="button" className="button small" disabled={busy} onClick={() => void continueRun()}>
          Go on
        </button>
      )}
      {undo && (
        <button
          type="button"
          className="button small"
          disabled={busy}
          title={undo.title}
          onClick={() => void takeBack.run(stopped.runId, undo)}
        >
          Undo
        </button>
      )}
      {!stopped?.continuable && (
        <button type="button" className="button small" onClick={() => onSend(lastQuestion(conversation))}>
          Send again
        </button>
      )}
    </div>
  );
}
