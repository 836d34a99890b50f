// The name of the model that answers, and the way to another one.

import { type AgentInfo, followAgentInfo } from "@opstate/kanban-page/chat/agent-info.ts";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { useSession } from "../session-context.ts";

export function AgentLabel() {
  const { connection, ownModel } = useSession();
  const chosen = useStore(ownModel, (state) => state.chosen);
  const [info, setInfo] = useState<AgentInfo>();
  useEffect(() => followAgentInfo(connection, setInfo), [connection]);
  if (!info) return null;
  return (
    <button
      type="button"
      className="chip chip-button"
      aria-haspopup="dialog"
      title={
        chosen === undefined && info.model.offline
          ? "A small model that runs in the server, without network and without a key. Choose another one."
          : "Choose another model."
      }
      onClick={() => void ownModel.open()}
    >
      {chosen?.model ?? (info.model.offline ? "Offline model" : info.model.name)}
    </button>
  );
}
