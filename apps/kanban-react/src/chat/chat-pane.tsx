// The conversation with the agent.

import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { AgentModeChoice } from "../agent/agent-mode-choice.tsx";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useSession } from "../session-context.ts";
import { AgentLabel } from "./agent-label.tsx";
import { Composer } from "./composer.tsx";
import { ToolCall } from "./tool-call.tsx";
import type { TranscriptItem } from "@opstate/kanban-page/chat/transcript.ts";

export function ChatPane() {
  const { chat } = useSession();
  const { items, running, problem } = useStore(chat);
  useSpokenAnswer(running, answerIn(items));
  const scroller = useStickToEnd();
  return (
    <section className="pane chat-pane" aria-labelledby="chat-title">
      <header className="pane-head">
        <Mark kind="agent" />
        <h2 id="chat-title">Agent</h2>
        <span className="push" />
        <AgentLabel />
      </header>
      <div className="messages" ref={scroller} role="log" aria-live="off" aria-label="Conversation" tabIndex={0}>
        {items.length === 0 && (
          <Suggestions
            onPick={(text) => {
              document.querySelector<HTMLElement>("[data-key-target='chat']")?.focus({ preventScroll: true });
              void chat.send(text);
            }}
          />
        )}
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
        {problem && (
          <p className="message problem" role="alert">
            {problem}
          </p>
        )}
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
      <Composer running={running} onSend={(text) => void chat.send(text)} onStop={chat.stop} />
    </section>
  );
}

const suggestions = [
  "Move T-42 to In Progress",
  "Move every card with priority 1 to Done",
  "Move T-1 to In Progress, then T-2 to Review, then summarise",
  "What changed?",
  "Build a board for launching a website",
];

function Suggestions({ onPick }: { onPick: (text: string) => void }) {
  return (
    <div className="suggestions">
      <p>Ask for a change to the board. You can go on moving cards yourself while the agent works.</p>
      <ul>
        {suggestions.map((text) => (
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

function answerIn(items: readonly TranscriptItem[]): string | undefined {
  const last = items.at(-1);
  return last?.kind === "assistant" ? last.text : undefined;
}

/** The newest line stays in sight, unless the reader scrolled up. */
function useStickToEnd() {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let atEnd = true;
    const scrolled = () => {
      atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    };
    const stick = () => {
      if (atEnd) element.scrollTop = element.scrollHeight;
    };
    const changes = new MutationObserver(stick);
    stick();
    changes.observe(element, { childList: true, characterData: true, subtree: true });
    element.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      changes.disconnect();
      element.removeEventListener("scroll", scrolled);
    };
  }, []);
  return scroller;
}

/** An answer is said when it is complete: word by word nobody could follow it. */
function useSpokenAnswer(running: boolean, answer: string | undefined) {
  const { announcer } = useSession();
  const ran = useRef(running);
  useEffect(() => {
    if (ran.current && !running && answer) announcer.say(`Agent: ${answer}`);
    ran.current = running;
  }, [announcer, running, answer]);
}
