// The page: the panes around the board, for the session of whoever sits here.

import { useState } from "react";
import { useStore } from "zustand";
import { AnnouncerVoice } from "./announcer-voice.tsx";
import { BoardPane } from "./board/board-pane.tsx";
import { ChatPane } from "./chat/chat-pane.tsx";
import { TimelinePane } from "./feed/timeline-pane.tsx";
import { Header } from "./header.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { NoticeLayer } from "./notice-layer.tsx";
import { type PaneName, PaneTabs } from "./pane-tabs.tsx";
import { SessionContext } from "./session-context.ts";
import type { Sessions } from "./sessions.ts";
import { StatusBar } from "./status/status-bar.tsx";
import { useKeys } from "./use-keys.ts";

export function App({ sessions }: { sessions: Sessions }) {
  const session = useStore(sessions);
  const [pane, setPane] = useState<PaneName>("board");
  const [help, setHelp] = useState(false);
  useKeys({ onHelp: () => setHelp(true), onPane: setPane });
  return (
    // Another person's page shares nothing with this one.
    <SessionContext key={session.user} value={session}>
      <div className="page" data-pane={pane}>
        <Header onRename={sessions.rename} onHelp={() => setHelp(true)} />
        <main className="panes">
          <ChatPane />
          <BoardPane />
          <TimelinePane />
        </main>
        <StatusBar />
        <PaneTabs pane={pane} onPane={setPane} />
        <NoticeLayer />
        <AnnouncerVoice />
        {help && <KeysDialog onClose={() => setHelp(false)} />}
      </div>
    </SessionContext>
  );
}
