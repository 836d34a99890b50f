// The switch that disconnects this page, to show how it works offline.

import { useStore } from "zustand";
import { useSession } from "./session-context.ts";

export function ConnectionSwitch() {
  const { connection } = useSession();
  const { cut } = useStore(connection);
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={!cut}
      title={
        cut ? "Reconnect, and send the edits that are waiting" : "Disconnect this page, to see how it works offline"
      }
      onClick={() => connection.set(!cut)}
    >
      Connection
      <span className="switch-track" aria-hidden="true" />
    </button>
  );
}
