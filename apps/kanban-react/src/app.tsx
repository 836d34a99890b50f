// The page: the panes around the board, for the current session.

import { loadAfterBoard } from "@opstate/kanban-page/late-part.ts";
import { type ReactNode, useEffect, useState } from "react";
import { useStore } from "zustand";
import { AnnouncerVoice } from "./announcer-voice.tsx";
import { Board } from "./board-context.ts";
import { BoardPane } from "./board/board-pane.tsx";
import { ChatPane } from "./chat/chat-pane.tsx";
import { Header } from "./layout/header.tsx";
import * as lateParts from "./late-parts.ts";
import { NoticeLayer } from "./notice-layer.tsx";
import { PaneTabs } from "./layout/pane-tabs.tsx";
import { SessionContext } from "./session-context.ts";
import type { Session } from "@opstate/kanban-page/session.ts";
import type { Sessions } from "@opstate/kanban-page/sessions.ts";
import { SidePane } from "./layout/side-pane.tsx";
import { StatusBar } from "./status/status-bar.tsx";
import { useKeys } from "./layout/use-keys.ts";
import { WhyLayer } from "./why-layer.tsx";

/** The board's page. */
export function App({ sessions }: { sessions: Sessions }) {
  const session = useStore(sessions);
  return (
    <SessionScope session={session}>
      <Workspace session={session} renderHead={(help) => <Header onRename={sessions.rename} onHelp={help} />} />
    </SessionScope>
  );
}

/** Gives a session to what is inside. A new name gets a new page. */
export function SessionScope({ session, children }: { session: Session; children: ReactNode }) {
  return (
    <SessionContext key={session.user} value={session}>
      <Board.Provider client={session.client} threadId={session.thread.threadId}>
        {children}
      </Board.Provider>
    </SessionContext>
  );
}

interface WorkspaceProps {
  readonly session: Session;
  /** The line above the panes. Without one this is a part of a page that has its own. */
  readonly renderHead?: (onHelp: () => void) => ReactNode;
}

/** The panes around the board, with the status and the notices. */
export function Workspace({ session, renderHead }: WorkspaceProps) {
  const pane = useStore(session.view, (view) => view.pane);
  const [help, setHelp] = useState(false);
  useKeys(session, () => setHelp(true));
  useEffect(() => loadAfterBoard(session.thread, Object.values(lateParts)), [session]);
  const Panes = renderHead ? "main" : "div";
  return (
    <div className="page" data-pane={pane} data-part={renderHead ? undefined : ""}>
      {renderHead?.(() => setHelp(true))}
      <Panes className="panes">
        <ChatPane />
        <BoardPane />
        <SidePane />
        <NoticeLayer />
      </Panes>
      <StatusBar />
      <PaneTabs pane={pane} onPane={session.view.pane} />
      <WhyLayer />
      <AnnouncerVoice />
      {help && <lateParts.KeysDialog onClose={() => setHelp(false)} />}
    </div>
  );
}
