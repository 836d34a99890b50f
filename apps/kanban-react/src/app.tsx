// The page: the panes around the board, for the current session.

import { useState } from "react";
import { useStore } from "zustand";
import { AnnouncerVoice } from "./announcer-voice.tsx";
import { Board } from "./board-context.ts";
import { BoardPane } from "./board/board-pane.tsx";
import { ChatPane } from "./chat/chat-pane.tsx";
import { Header } from "./layout/header.tsx";
import { KeysDialog } from "./layout/keys-dialog.tsx";
import { NoticeLayer } from "./notice-layer.tsx";
import { PaneTabs } from "./layout/pane-tabs.tsx";
import { SessionContext } from "./session-context.ts";
import type { Session } from "@opstate/kanban-page/session.ts";
import type { Sessions } from "@opstate/kanban-page/sessions.ts";
import { SidePane } from "./layout/side-pane.tsx";
import { StatusBar } from "./status/status-bar.tsx";
import { useKeys } from "./layout/use-keys.ts";
import { WhyNote } from "./why-note.tsx";

export function App({ sessions }: { sessions: Sessions }) {
  const session = useStore(sessions);
  return (
    // A new name gets a new page.
    <SessionContext key={session.user} value={session}>
      <Board.Provider client={session.client} threadId={session.thread.threadId}>
        <Page session={session} onRename={sessions.rename} />
      </Board.Provider>
    </SessionContext>
  );
}

function Page({ session, onRename }: { session: Session; onRename: (name: string) => void }) {
  const pane = useStore(session.view, (view) => view.pane);
  const [help, setHelp] = useState(false);
  useKeys(session, () => setHelp(true));
  return (
    <div className="page" data-pane={pane}>
      <Header onRename={onRename} onHelp={() => setHelp(true)} />
      <main className="panes">
        <ChatPane />
        <BoardPane />
        <SidePane />
      </main>
      <StatusBar />
      <PaneTabs pane={pane} onPane={session.view.pane} />
      <NoticeLayer />
      <WhyNote />
      <AnnouncerVoice />
      {help && <KeysDialog onClose={() => setHelp(false)} />}
    </div>
  );
}
