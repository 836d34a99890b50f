// The conversation with the agent.

import { speakAnswers } from "@opstate/kanban-page/chat/speak-answers.ts";
import { SUGGESTIONS } from "@opstate/kanban-page/chat/suggestions.ts";
import { stickToEndRef } from "@opstate/ui/react/stick-to-end.ts";
import { isRunning, offeredReplies, transcript } from "@opstate/kanban-page/chat/transcript.ts";
import { useChat } from "@opstate/react";
import { useEffect } from "react";
import { AgentModeChoice } from "../agent-mode-choice.tsx";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useSession } from "../session-context.ts";
import { AgentLabel } from "./agent-label.tsx";
import { Composer } from "@opstate/ui/react/composer.tsx";
import { RunProblem } from "./run-problem.tsx";
import { ToolCall } from "../late-parts.ts";

export function ChatPane() {
  const { chat, announcer } = useSession();
  const { send, abort, ...conversation } = useChat(chat);
  const items = transcript(conversation);
  const running = isRunning(conversation);
  const replies = offeredReplies(conversation);
  const pick = (text: string) => {
    document.querySelector<HTMLElement>("[data-key-target='chat']")?.focus({ preventScroll: true });
    void send(text);
  };
  useEffect(() => speakAnswers(chat, announcer), [chat, announcer]);
  return (
    <section className="pane chat-pane" aria-labelledby="chat-title">
      <header className="pane-head">
        <Mark kind="agent" />
        <h2 id="chat-title">Agent</h2>
        <span className="push" />
        <AgentLabel />
      </header>
      <div className="messages" ref={stickToEndRef} role="log" aria-live="off" aria-label="Conversation" tabIndex={0}>
        {items.length === 0 && <Suggestions onPick={pick} />}
        {items.map((item) =>
          item.kind === "call" ? (
            <ToolCall key={item.id} call={item.call} running={running} />
          ) : (
            <p key={item.id} className="message" data-role={item.kind}>
              <span className="spoken">{item.kind === "user" ? "You: " : "Agent: "}</span>
              {item.text}
            </p>
          ),
        )}
        {replies.length > 0 && (
          <ul className="replies" aria-label="Answers">
            {replies.map((text) => (
              <li key={text}>
                <button type="button" className="button" onClick={() => pick(text)}>
                  {text}
                </button>
              </li>
            ))}
          </ul>
        )}
        <RunProblem chat={chat} onSend={pick} />
        <p className="working" data-running={running ? "" : undefined}>
          {running && (
            <>
              <Mark kind="agent" size={8} />
              Working
            </>
          )}
        </p>
      </div>
      <AgentModeChoice />
      <Composer placeholder="Ask for a change" running={running} onSend={(text) => void send(text)} onStop={abort} />
    </section>
  );
}

function Suggestions({ onPick }: { onPick: (text: string) => void }) {
  return (
    <div className="suggestions">
      <p>Ask for a change to the board. You can keep moving cards yourself while the agent works.</p>
      <ul>
        {SUGGESTIONS.map((text) => (
          <li key={text}>
            <button type="button" className="button" onClick={() => onPick(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
