// The line above the panes: which board this is, and the person's name.

import { HomeLink } from "@opstate/ui/react/home-link.tsx";
import { SiteNav } from "@opstate/ui/react/site-nav.tsx";
import { UserMenu } from "../user-menu.tsx";
import { Board } from "../board-context.ts";
import { HereNow } from "./here-now.tsx";
import { BIG_THREAD, boardName } from "@opstate/kanban-page/thread-id.ts";

export function Header({ onRename, onHelp }: { onRename: (name: string) => void; onHelp: () => void }) {
  const { threadId } = Board.useThread();
  return (
    <header className="header">
      <h1 className="brand">
        <HomeLink />
        <span className="crumb">{boardName(threadId)}</span>
      </h1>
      <a className="button quiet small other-board" href={threadId === BIG_THREAD ? "./" : `?thread=${BIG_THREAD}`}>
        {threadId === BIG_THREAD ? "Demo board" : "10,000 cards"}
      </a>
      <span className="push" />
      <HereNow />
      <SiteNav here="Board" />
      <button
        type="button"
        className="button quiet small icon for-keys"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={onHelp}
      >
        ?
      </button>
      <UserMenu onRename={onRename} />
    </header>
  );
}
