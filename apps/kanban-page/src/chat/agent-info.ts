// The name of the model that answers.

import type { Connection } from "../connection/connection.ts";

export interface AgentInfo {
  readonly model: { readonly name: string; readonly offline: boolean };
}

/** Undefined when the server does not say. */
export async function readAgentInfo(
  { fetch }: Pick<Connection, "fetch">,
  signal: AbortSignal,
): Promise<AgentInfo | undefined> {
  try {
    const response = await fetch("/api/info", { signal });
    // Edge: the server of this page wrote it.
    return response.ok ? ((await response.json()) as AgentInfo) : undefined;
  } catch {
    return undefined;
  }
}
