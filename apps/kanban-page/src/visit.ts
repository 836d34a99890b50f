// The visitor's own board: a thread that only this browser's token opens. Kept in the browser for
// its day.

export interface Visit {
  readonly threadId: string;
  /** `agent` is for an agent of the visitor's, in a program of its own. */
  readonly tokens: { readonly user: string; readonly agent: string };
  readonly expiresAt: string;
}

const STORAGE_KEY = "opstate.visit";

/** The stored visit; undefined without one, and when its day is over. */
export function readVisit(): Visit | undefined {
  try {
    // Edge: `beginVisit` wrote it.
    const visit = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") as Visit | null;
    return visit !== null && Date.parse(visit.expiresAt) > Date.now() ? visit : undefined;
  } catch {
    return undefined;
  }
}

/** A new board in the place of the stored one. Undefined when the server gives none. */
export async function beginVisit(): Promise<Visit | undefined> {
  localStorage.removeItem(STORAGE_KEY);
  const headers = { "content-type": "application/json" };
  const response = await fetch("/api/visits", { method: "POST", headers }).catch(() => undefined);
  if (!response?.ok) return undefined;
  const visit = (await response.json()) as Visit;
  localStorage.setItem(STORAGE_KEY, JSON.stringify(visit));
  return visit;
}

/** Whether the server still knows the visit. */
export async function isOpen({ threadId, tokens }: Visit): Promise<boolean> {
  const headers = { authorization: `Bearer ${tokens.user}` };
  const response = await fetch(`/threads/${threadId}`, { headers }).catch(() => undefined);
  // Without an answer it is not known: the board is shown offline.
  return response === undefined || response.ok;
}

/** The headers that open a thread. */
export function headersFor(threadId: string, user: string): Readonly<Record<string, string>> {
  const visit = readVisit();
  return {
    "x-opstate-user": user,
    ...(visit?.threadId === threadId && { authorization: `Bearer ${visit.tokens.user}` }),
  };
}

/** Those of an agent of the visitor's, or of any on the shared board. */
export function agentHeadersFor(threadId: string): Readonly<Record<string, string>> {
  const visit = readVisit();
  return { authorization: `Bearer ${visit?.threadId === threadId ? visit.tokens.agent : "demo-agent"}` };
}
