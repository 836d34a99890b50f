// The tokens of visits. A thread's id says when it was created, and a token is a signature of the
// id, so nothing is stored and a token is valid after a restart.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Who a token is for: the visitor, or an agent that works on the visitor's board. */
export type TokenHolder = "user" | "agent";

export interface OpenedVisit {
  readonly threadId: string;
  readonly holder: TokenHolder;
}

const THREAD_ID = /^visit-([0-9a-z]{6,10})-[0-9a-f]{16}$/;

export const newVisitId = (now: number): string => `visit-${now.toString(36)}-${randomBytes(8).toString("hex")}`;

/** When a visit's thread was created, in ms; undefined for any other thread. */
export function visitCreatedAt(threadId: string): number | undefined {
  const time = THREAD_ID.exec(threadId)?.[1];
  return time === undefined ? undefined : Number.parseInt(time, 36);
}

/** `<holder>.<threadId>.<signature>` */
export function visitToken(secret: Uint8Array, { threadId, holder }: OpenedVisit): string {
  const named = `${holder}.${threadId}`;
  return `${named}.${createHmac("sha256", secret).update(named).digest("base64url")}`;
}

/** What a token opens; undefined for one that was not made with this secret. */
export function readVisitToken(secret: Uint8Array, token: string): OpenedVisit | undefined {
  const [holder, threadId = ""] = token.split(".");
  if (holder !== "user" && holder !== "agent") return undefined;
  if (visitCreatedAt(threadId) === undefined) return undefined;
  const visit = { threadId, holder } as const;
  const expected = Buffer.from(visitToken(secret, visit));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected) ? visit : undefined;
}
