// The actor of a request and what they may do, for a demo on one machine:
//
//   no token               a person, by the name that they send   every thread but visitors' own
//   demo-webhook, -agent   a program                              read and write `demo`
//   a visit's token        its visitor, or an agent of theirs     that visit's own thread
//
// - A real application verifies a session or a signed token here. It gives each actor rights on its
//   own threads only, and keeps a webhook's secret out of its source.
// - The actor always comes from this function, never from a request's body.

import type { Actor } from "@opstate/core";
import type { Access, Authorize, Right } from "@opstate/server";
import { visitCreatedAt } from "./visits/visit-token.ts";
import { bearerOf, type Visits } from "./visits/visits.ts";

/** The board that everyone shares. */
export const DEMO_THREAD = "demo";

/** Fixed, so that the README's command works. The server listens on loopback only. */
export const WEBHOOK_TOKEN = "demo-webhook";

/** Of an agent that works through `/mcp`. */
export const AGENT_TOKEN = "demo-agent";

const MCP_AGENT: Actor = { kind: "agent", id: "mcp" };

const PROGRAMS: ReadonlyMap<string, Actor> = new Map([
  [WEBHOOK_TOKEN, { kind: "webhook", id: "demo" }],
  [AGENT_TOKEN, MCP_AGENT],
]);

const USER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

export function authorizeWith(visits: Pick<Visits, "open">): Authorize {
  return (request): Access | null => {
    if (!request.headers.has("authorization"))
      return asPerson(request, (threadId) => visitCreatedAt(threadId) === undefined);
    const token = bearerOf(request) ?? "";
    const program = PROGRAMS.get(token);
    if (program)
      return { actor: program, allows: (threadId, right) => threadId === DEMO_THREAD && isOfPrograms(right) };
    const visit = visits.open(token);
    if (visit === undefined) return null;
    const { expiresAt, holder, threadId: own } = visit;
    if (holder === "agent")
      return { actor: MCP_AGENT, expiresAt, allows: (threadId, right) => threadId === own && isOfPrograms(right) };
    // A visit ends by itself.
    const access = asPerson(request, (threadId, right) => threadId === own && right !== "admin");
    return access && { ...access, expiresAt };
  };
}

function asPerson(request: Request, allows: Access["allows"]): Access | null {
  const name = request.headers.get("x-opstate-user") ?? "guest";
  return USER_NAME.test(name) ? { actor: { kind: "user", id: name }, allows } : null;
}

/** Programs may not undo the work of others, approve or delete. */
const isOfPrograms = (right: Right): boolean => right === "read" || right === "write";
