// Who acts in the scenarios. A server under test knows them by their credentials, on every
// thread whose id begins with "conformance-".

import type { Actor } from "@opstate/core";

export type IdentityName = "ada" | "bob" | "rita" | "bot" | "anonymous";

export interface Identity {
  readonly actor: Actor;
  readonly rights: readonly string[];
}

/** `anonymous` sends no credentials. */
export const identities: Readonly<Record<Exclude<IdentityName, "anonymous">, Identity>> = {
  ada: { actor: { kind: "user", id: "ada" }, rights: ["read", "write", "undo", "approve", "admin"] },
  bob: { actor: { kind: "user", id: "bob" }, rights: ["read", "write"] },
  rita: { actor: { kind: "user", id: "rita" }, rights: ["read"] },
  bot: { actor: { kind: "agent", id: "bot" }, rights: ["read", "write"] },
};

/**
 * The identity that a request's credentials mean: `authorization: Bearer conformance-ada`, unless
 * the runner was given other headers.
 *
 * @example
 * ```ts
 * import { conformanceIdentity } from "@opstate/conformance";
 *
 * conformanceIdentity("Bearer conformance-bot")?.actor; // { kind: "agent", id: "bot" }
 * ```
 */
export function conformanceIdentity(authorization: string | null): Identity | undefined {
  const name = /^Bearer conformance-(\w+)$/.exec(authorization ?? "")?.[1] ?? "";
  return Object.hasOwn(identities, name) ? identities[name as keyof typeof identities] : undefined;
}
