// Which model answers. The offline one says so.

import { type AgentInfo, readAgentInfo } from "@opstate/kanban-page/chat/agent-info.ts";
import { useEffect, useState } from "react";

export function AgentLabel() {
  const [info, setInfo] = useState<AgentInfo>();
  useEffect(() => {
    const request = new AbortController();
    void readAgentInfo(request.signal).then(setInfo);
    return () => request.abort();
  }, []);
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
