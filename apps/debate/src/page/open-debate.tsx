// The debate in the address: started by this page, or read from the server.

import { useState } from "react";
import type { Api } from "./api.ts";
import { DebateRoom, type DebateRoomProps } from "./room/debate-room.tsx";
import { Notice } from "./notice.tsx";
import type { Room } from "./room/room.ts";
import { useStoredDebate } from "./use-stored-debate.ts";

interface Props {
  readonly api: Api;
  readonly id: string;
  /** The debate that this page started. */
  readonly started: Room | undefined;
  readonly onNew: () => void;
}

export function OpenDebate({ api, id, started, onNew }: Props) {
  const [reloads, setReloads] = useState(0);
  // Kept outside of the reloaded component, so that an unsent remark survives.
  const [draft, onDraft] = useState({ round: 0, text: "" });
  const shared = { draft, onDraft, onNew, onReload: () => setReloads((count) => count + 1) };
  if (started && reloads === 0) return <DebateRoom room={started} elsewhere={false} {...shared} />;
  return <StoredDebate key={reloads} api={api} id={id} {...shared} />;
}

function StoredDebate({ api, id, ...shared }: Pick<Props, "api" | "id"> & Omit<DebateRoomProps, "room" | "elsewhere">) {
  const opening = useStoredDebate(api, id);
  if (opening.kind === "open") return <DebateRoom room={opening.room} elsewhere={opening.elsewhere} {...shared} />;
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
