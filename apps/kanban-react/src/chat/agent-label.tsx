// Which model answers. The offline one says so.

import { useEffect, useState } from "react";

interface Info {
  readonly model: { readonly name: string; readonly offline: boolean };
}

export function AgentLabel() {
  const [info, setInfo] = useState<Info>();
  useEffect(() => {
    const request = new AbortController();
    fetch("/api/info", { signal: request.signal })
      .then((response) => (response.ok ? response.json() : undefined))
      .then(setInfo, () => undefined);
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
