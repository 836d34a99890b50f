// The title of the browser's tab: the status of the debate, for a person who looks at another tab
// meanwhile. It is no component, so it subscribes to the conversation as to a plain store.

import type { AgentStore } from "@opstate/react";
import type { DebateChat } from "./room.ts";
import { type Phase, phaseOf } from "./transcript.ts";

const MARKS: Partial<Record<Phase, string>> = {
  waiting: "Your turn: ",
  completed: "Over: ",
  error: "Stopped: ",
  lost: "Stopped: ",
};

/** Shows it until the returned function is called. */
export function showInTitle(debate: Pick<AgentStore<DebateChat>, "getState" | "subscribe">): () => void {
  const before = document.title;
  const show = (chat: DebateChat) => {
    document.title = `${MARKS[phaseOf(chat)] ?? ""}${chat.state.topic ?? ""} · ${before}`;
  };
  show(debate.getState());
  const unsubscribe = debate.subscribe(show);
  return () => {
    unsubscribe();
    document.title = before;
  };
}
