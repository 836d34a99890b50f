// The address: `#/` is the form, `#/<id>` a debate. A hash needs no routes on the server.

import { useSyncExternalStore } from "react";

export function useDebateId(): readonly [id: string | undefined, goTo: (id: string | undefined) => void] {
  return [useSyncExternalStore(subscribe, current), goTo];
}

function current(): string | undefined {
  return /^#\/([A-Za-z0-9_-]{1,64})$/.exec(location.hash)?.[1];
}

function goTo(id: string | undefined): void {
  location.hash = `#/${id ?? ""}`;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}
