// The name of the model that answers. The last known one is kept in the tab's session storage, for
// a page that is loaded offline.

import { isObject } from "@opstate/core/json";
import type { Connection } from "../connection/connection.ts";

export interface AgentInfo {
  readonly model: { readonly name: string; readonly offline: boolean };
}

/** As far as it tells: the server of this page wrote it. */
const isAgentInfo = (info: unknown): info is AgentInfo => isObject(info) && isObject(info["model"]);

const STORAGE_KEY = "opstate.agent";

/**
 * Shows what is known at once, and what the server says, now and when the connection is switched
 * back on. Returns the function that stops it.
 */
export function followAgentInfo(
  { fetch, subscribe }: Pick<Connection, "fetch" | "subscribe">,
  show: (info: AgentInfo) => void,
): () => void {
  const stop = new AbortController();

  const showText = (text: string) => {
    const info: unknown = JSON.parse(text);
    if (isAgentInfo(info)) show(info);
  };

  async function read(): Promise<void> {
    try {
      const response = await fetch("/api/info", { signal: stop.signal });
      if (!response.ok) return;
      const text = await response.text();
      showText(text);
      sessionStorage.setItem(STORAGE_KEY, text);
    } catch {
      // It cannot be reached, or does not say: what is shown stays.
    }
  }

  try {
    showText(sessionStorage.getItem(STORAGE_KEY) ?? "null");
  } catch {
    // What is stored says nothing.
  }
  stop.signal.addEventListener(
    "abort",
    subscribe(() => void read()),
  );
  void read();
  return () => stop.abort();
}
