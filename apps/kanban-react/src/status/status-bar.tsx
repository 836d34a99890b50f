// The status bar: connection, pending edits and version. It is always shown, so the layout never
// jumps.

import type { Sync } from "@opstate/core";
import { speakStatus } from "@opstate/kanban-page/connection/speak-status.ts";
import {
  copyEdits,
  lostWords,
  STATUS_NAMES,
  statusSentence,
  storageWords,
  unsentEdits,
} from "@opstate/kanban-page/connection/status-words.ts";
import { useEffect } from "react";
import { Board } from "../board-context.ts";
import { ConnectionSwitch } from "../connection-switch.tsx";
import { useSession } from "../session-context.ts";
import { useStableStatus } from "./use-stable-status.ts";

export function StatusBar() {
  const status = useStableStatus();
  const version = Board.useSync((sync) => sync.version);
  const pending = Board.useSync((sync) => sync.pending.length);
  useSpokenStatus();
  return (
    <footer className="status" data-status={status} data-testid="status">
      <span className="status-light">
        <Light status={status} />
        {STATUS_NAMES[status]}
      </span>
      <span className="status-message">{statusSentence(status, pending)}</span>
      <KeptApart />
      <span className="push" />
      <ConnectionSwitch />
      <span className="number">{`Version ${version}`}</span>
    </footer>
  );
}

/** What is not kept, or not sent. */
function KeptApart() {
  const { announcer } = useSession();
  const { getState } = Board.useThread();
  const sync = Board.useSync();
  const [notKept, unsent] = [storageWords(sync), unsentEdits(sync)];
  return (
    <>
      {notKept !== undefined && <span className="status-problem">{notKept}</span>}
      {unsent.length > 0 && (
        <span className="status-problem">
          {lostWords(sync)}
          <button
            type="button"
            className="button quiet small"
            onClick={() => void copyEdits(unsent, getState(), announcer)}
          >
            Copy
          </button>
        </span>
      )}
    </>
  );
}

function Light({ status }: { status: Sync["status"] }) {
  return (
    <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
      {status === "online" ? (
        <circle cx="4" cy="4" r="4" fill="currentColor" />
      ) : (
        <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="2" />
      )}
    </svg>
  );
}

function useSpokenStatus() {
  const { announcer } = useSession();
  const { sync } = Board.useThread();
  useEffect(() => speakStatus(sync, announcer), [sync, announcer]);
}
