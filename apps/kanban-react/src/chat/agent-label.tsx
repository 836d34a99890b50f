// The name of the model that answers.

import { type AgentInfo, readAgentInfo } from "@opstate/kanban-page/chat/agent-info.ts";
import { useEffect, useState } from "react";
import { useSession } from "../session-context.ts";

export function AgentLabel() {
  const { connection } = useSession();
  const [info, setInfo] = useState<AgentInfo>();
  useEffect(() => {
    const request = new AbortController();
    void readAgentInfo(connection, request.signal).then(setInfo);
    return () => request.abort();
  }, [connection]);
  if (!info) return null;
  return info.model.offline ? (
    <span
      className="chip"
      title="A small model that runs in the server, without network and without a key. It understands plain requests about the board."
    >
      Offline model
    </span>
  ) : (
    <span className="chip">{info.model.name}</span>
  );
}
