// The actor of a request, for a demo on one machine: a person who sends their name, or the webhook
// or an agent in a program of its own with its token.
//
// - A real application verifies a session or a signed token here. It gives each actor rights on its
//   own threads only, and keeps a webhook's secret out of its source.
// - The actor always comes from this function, never from a request's body.

import type { Actor } from "@opstate/core";
import type { Access, Authorize } from "@opstate/server";

/** Fixed, so that the README's command works. The server listens on loopback only. */
export const WEBHOOK_TOKEN = "demo-webhook";

/** Of an agent that works through `/mcp`. */
export const AGENT_TOKEN = "demo-agent";

const BEARERS: ReadonlyMap<string, Actor> = new Map([
  [`Bearer ${WEBHOOK_TOKEN}`, { kind: "webhook", id: "demo" }],
  [`Bearer ${AGENT_TOKEN}`, { kind: "agent", id: "mcp" }],
]);

const USER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

export const authorize: Authorize = (request): Access | null => {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) {
    const actor = BEARERS.get(authorization);
    // Programs read and write. They may not undo the work of others, approve or delete.
    return actor ? { actor, allows: (_, right) => right === "read" || right === "write" } : null;
  }
  const name = request.headers.get("x-opstate-user") ?? "guest";
  return USER_NAME.test(name) ? { actor: { kind: "user", id: name }, allows: () => true } : null;
};
