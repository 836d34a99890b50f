// The start page: five moments on a live board, and the doors to everything else.

import { HereNow } from "@opstate/kanban-react/layout/here-now.tsx";
import { UserMenu } from "@opstate/kanban-react/user-menu.tsx";
import { SessionScope, Workspace } from "@opstate/kanban-react/app.tsx";
import type { Sessions } from "@opstate/kanban-page/sessions.ts";
import type { Visit } from "@opstate/kanban-page/visit.ts";
import { HomeLink } from "@opstate/ui/react/home-link.tsx";
import { SiteNav } from "@opstate/ui/react/site-nav.tsx";
import { useStore } from "zustand";
import { Doors } from "./doors.tsx";
import { Moments } from "./moments-list.tsx";
import { NowPlaying } from "./now-playing.tsx";
import type { Tour } from "./tour/tour.ts";

export interface StartProps {
  readonly sessions: Sessions;
  readonly tour: Tour;
  /** Undefined: the shared board is shown. */
  readonly visit: Visit | undefined;
  readonly onReset: () => void;
}

export function Start({ sessions, tour, visit, onReset }: StartProps) {
  const session = useStore(sessions);
  return (
    <SessionScope session={session}>
      <header className="site-header">
        <p className="brand">
          <HomeLink root="./" />
        </p>
        <span className="push" />
        <HereNow />
        <SiteNav root="./" />
        <UserMenu onRename={sessions.rename} />
      </header>
      <main className="start">
        <h1>State your agent cannot corrupt, and your user can take back.</h1>
        <Moments tour={tour} />
        <NowPlaying tour={tour} isOwn={visit !== undefined} onReset={onReset} />
        <section className="stage" aria-label="The board">
          <Workspace session={session} />
        </section>
        <Doors visit={visit} />
      </main>
    </SessionScope>
  );
}
