// The debate in the address: started by this page, or read from the server.

import { useState } from "react";
import type { Api } from "./api.ts";
import { type Drafts, Remark } from "./drafts.ts";
import { DebateRoom, type DebateRoomProps } from "./room/debate-room.tsx";
import { Notice } from "./notice.tsx";
import type { DebateSession } from "./room/room.ts";
import { useStoredDebate } from "./use-stored-debate.ts";

interface Props {
  readonly api: Api;
  readonly id: string;
  /** The debate that this page started. */
  readonly started: DebateSession | undefined;
  readonly drafts: Drafts;
  readonly onNew: () => void;
}

export function OpenDebate({ api, id, started, drafts, onNew }: Props) {
  const [reloads, setReloads] = useState(0);
  const shared = { onNew, onReload: () => setReloads((count) => count + 1) };
  return (
    <Remark.Provider thread={drafts.remarkOf(id)}>
      {started && reloads === 0 ? (
        <DebateRoom session={started} elsewhere={false} {...shared} />
      ) : (
        <StoredDebate key={reloads} api={api} id={id} {...shared} />
      )}
    </Remark.Provider>
  );
}

type StoredProps = Pick<Props, "api" | "id"> & Omit<DebateRoomProps, "session" | "elsewhere">;

function StoredDebate({ api, id, ...shared }: StoredProps) {
  const opening = useStoredDebate(api, id);
  if (opening.kind === "open")
    return <DebateRoom session={opening.session} elsewhere={opening.elsewhere} {...shared} />;
  return (
    <main className="debate">
      <h1 className="spoken">Debate</h1>
      {opening.kind === "missing" && (
        <Notice kind="plain" title="There is no debate at this address">
          <p className="soft">The address may be cut short, or the debate was kept on another computer.</p>
          <div className="row">
            <button type="button" className="button primary" onClick={shared.onNew}>
              Start a debate
            </button>
          </div>
        </Notice>
      )}
      {opening.kind === "unreachable" && (
        <Notice kind="bad" title="The server cannot be reached">
          <p>The debate is kept there. This page tries again until it answers.</p>
        </Notice>
      )}
      {opening.kind === "loading" && <p className="soft loading">Opening the debate …</p>}
    </main>
  );
}
