// The actor of a request, for a demo on one machine: a person who sends their name, or the webhook
// with its token.
//
// - A real application verifies a session or a signed token here. It gives each actor rights on its
//   own threads only, and keeps a webhook's secret out of its source.
// - The actor always comes from this function, never from a request's body.

import type { Access, Authorize } from "@opstate/server";

/** Fixed, so that the README's command works. The server listens on loopback only. */
export const WEBHOOK_TOKEN = "demo-webhook";

const USER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

export const authorize: Authorize = (request): Access | null => {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) {
    if (authorization !== `Bearer ${WEBHOOK_TOKEN}`) return null;
    // A webhook reads and writes. It may not undo, approve or delete.
    return { actor: { kind: "webhook", id: "demo" }, allows: (_, right) => right === "read" || right === "write" };
  }
  const name = request.headers.get("x-opstate-user") ?? "guest";
  return USER_NAME.test(name) ? { actor: { kind: "user", id: name }, allows: () => true } : null;
};
