// One conversation, now or at an earlier moment, in three panes: chat, state and events.

import type { ChatSession } from "@opstate/ag-ui";
import { useAgentState } from "@opstate/react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { ChatPane } from "../chat/chat-pane.tsx";
import { EventsPane } from "../events/events-pane.tsx";
import { type PaneName, PaneTabs } from "../pane-tabs.tsx";
import { StatePane } from "../state/state-pane.tsx";
import { Announcer } from "./announcer.tsx";

export function ConversationView({ session, url }: { session: ChatSession; url: string }) {
  // The state and the events of one moment, at most once for each frame.
  const now = useAgentState(session.recording);
  const [pane, setPane] = useState<PaneName>("chat");
  /** The shown moment; undefined is now. */
  const [moment, setMoment] = useState<number>();
  const index = moment === undefined ? now.length : Math.min(Math.max(moment, now.first), now.length);
  const state = useMemo(
    () => (moment === undefined ? now.state : session.replayTo(index)),
    [moment, now.state, session, index],
  );

  const goTo = useCallback(
    (to: number) => setMoment(to >= now.length ? undefined : Math.max(to, now.first)),
    [now.first, now.length],
  );
  const backToNow = useCallback(() => setMoment(undefined), []);
  useKeys({ onStep: (by) => goTo(index + by), onNow: backToNow, onWrite: () => setPane("chat") });

  return (
    <div className="page" data-pane={pane}>
      <main className="panes">
        <ChatPane session={session} state={state} url={url} replaying={moment !== undefined} onNow={backToNow} />
        <StatePane state={state} />
        <EventsPane now={now} index={index} replaying={moment !== undefined} onGoTo={goTo} onNow={backToNow} />
      </main>
      <PaneTabs pane={pane} onPane={setPane} problems={state.conflicts.length + state.warnings.length} />
      <Announcer state={now.state} />
    </div>
  );
}

interface Keys {
  readonly onStep: (by: number) => void;
  readonly onNow: () => void;
  readonly onWrite: () => void;
}

/** `/` focuses the message field, `[` and `]` step, Esc returns to now. Ignored while typing. */
function useKeys({ onStep, onNow, onWrite }: Keys) {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (
        target instanceof HTMLElement &&
        target.matches("textarea, select, input:not([type=range], [type=radio], [type=checkbox])")
      )
        return;
      if (key === "[") onStep(-1);
      else if (key === "]") onStep(1);
      else if (key === "Escape") onNow();
      else if (key === "/") {
        event.preventDefault();
        onWrite();
        document.querySelector<HTMLElement>("[data-key-target=chat]")?.focus();
      }
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}
