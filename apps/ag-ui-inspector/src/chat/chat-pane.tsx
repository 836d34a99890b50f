// The conversation: messages, tool calls, errors, and the message field.

import type { ChatSession, ChatState } from "@opstate/ag-ui";
import { useState } from "react";
import { InterruptForm } from "../answers/interrupt-form.tsx";
import { ToolAnswerForm } from "../answers/tool-answer-form.tsx";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { stickToEndRef } from "@opstate/ui/react/stick-to-end.ts";
import { TOUR } from "../address/address.ts";
import { Composer } from "@opstate/ui/react/composer.tsx";
import { ErrorCard } from "./error-card.tsx";
import { Message } from "./message.tsx";
import { RunLine } from "./run-line.tsx";

/** The number of messages that are shown at first. */
const PAGE_SIZE = 80;

interface ChatPaneProps {
  readonly session: ChatSession;
  readonly state: ChatState;
  readonly url: string;
  readonly replaying: boolean;
  readonly onNow: () => void;
}

export function ChatPane({ session, state, url, replaying, onNow }: ChatPaneProps) {
  const { messages, phase, interrupts, error, pendingToolCallIds } = state;
  const [shown, setShown] = useState(PAGE_SIZE);
  const earlier = Math.max(0, messages.length - shown);
  const waiting = !replaying && phase === "idle" ? pendingToolCallIds : [];
  return (
    <section className="pane chat-pane" aria-labelledby="chat-title">
      <header className="pane-head">
        <Mark kind="agent" />
        <h2 id="chat-title">Chat</h2>
        <span className="push" />
        <RunLine state={state} />
      </header>
      <div className="messages" ref={stickToEndRef} role="log" aria-live="off" aria-label="Conversation" tabIndex={0}>
        {messages.length === 0 && error === undefined && (
          <Welcome url={url} onPick={(text) => void session.send(text)} />
        )}
        {earlier > 0 && (
          <button type="button" className="button small earlier" onClick={() => setShown(shown + PAGE_SIZE * 5)}>
            Show earlier messages ({earlier})
          </button>
        )}
        {messages.slice(earlier).map((message) => (
          <Message key={message.id} message={message} />
        ))}
        {error !== undefined && <ErrorCard error={error} />}
        {!replaying && interrupts.length > 0 && phase !== "running" && (
          <InterruptForm
            key={interrupts.map(({ id }) => id).join()}
            interrupts={interrupts}
            onAnswer={(answers) => void session.resume(answers)}
          />
        )}
        {interrupts.length === 0 &&
          waiting.map((id) => (
            <ToolAnswerForm
              key={id}
              name={toolName(state, id)}
              onAnswer={(content) => void session.send({ id: `${id}-result`, role: "tool", toolCallId: id, content })}
            />
          ))}
        <p className="working">
          {phase === "running" && (
            <>
              <Mark kind="agent" size={8} />
              Working
            </>
          )}
        </p>
      </div>
      {replaying ? (
        <div className="composer earlier-moment">
          <p>This is an earlier moment.</p>
          <button type="button" className="button small" onClick={onNow}>
            Back to now
          </button>
        </div>
      ) : (
        <Composer
          placeholder="Write to the agent"
          running={phase === "running"}
          blocked={interrupts.length > 0 && phase !== "running" ? "Answer the agent first" : undefined}
          onSend={(text) => void session.send(text)}
          onStop={() => session.abort()}
        />
      )}
    </section>
  );
}

const SUGGESTIONS = [
  "What is on the board?",
  "Move dark mode to In Progress",
  "Remove dark mode and move dark mode to Done",
];

function Welcome({ url, onPick }: { url: string; onPick: (text: string) => void }) {
  const isTour = url === TOUR;
  const isBoard = new URL(url, location.origin).pathname === "/ag-ui/kanban" && url.startsWith(location.origin);
  return (
    <div className="suggestions">
      <p>
        {isTour
          ? "A scripted agent that lives in this page: one of every kind of event, without a server. One of its patches is wrong on purpose."
          : "Write to the agent. Its text, tool calls, reasoning and questions appear here; its state and every raw event beside."}
      </p>
      {(isTour || isBoard) && (
        <ul>
          {(isTour ? ["Plan a dinner"] : SUGGESTIONS).map((text) => (
            <li key={text}>
              <button type="button" className="button" onClick={() => onPick(text)}>
                {text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function toolName({ messages }: ChatState, id: string): string {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  return calls.find((call) => call.id === id)?.name ?? id;
}
