// Reports to the application who was let in and who was not. It does so at the door, before
// anything is read or written, so a report contains nothing of a state, an operation or a message.
//
// Invariant: whatever the application's function does, the request goes on as without it.

import type { Actor } from "@opstate/core";
import type { Right } from "../http/access.ts";
import type { ProblemCode } from "../http/problem.ts";

/** Who requested what, and whether they got in. */
export interface AuditEvent {
  /** When, in ISO 8601. */
  readonly at: string;
  /**
   * The `x-request-id` of the answer; for a stream that is checked again, the one that began it.
   */
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the path, such as "/threads/:id/undo"; "unknown" where there is no route. */
  readonly route: string;
  /** Absent where the credentials are invalid. */
  readonly actor?: Actor;
  /** Absent where the request names none. A request for many threads has an event for each. */
  readonly threadId?: string;
  /** The right that it needed. Absent where no right was needed. */
  readonly right?: Right;
  /** `ended`: a stream or a run that was allowed is refused from now on. */
  readonly outcome: "allowed" | "refused" | "ended";
  /**
   * Why, where it is not `allowed`, such as `unauthenticated`, `not_allowed`, `origin_refused`,
   * `too_many_requests`.
   */
  readonly code?: ProblemCode;
}

/** It is not waited for, and what it throws or rejects with goes to `onError`. */
export type Audit = (event: AuditEvent) => unknown;

/** Calls the application's function. Its errors go to `onError`. Undefined without a function. */
export function safely(audit: Audit | undefined, onError: (error: unknown) => void): Audit | undefined {
  if (audit === undefined) return undefined;
  return (event) => {
    // A promise, so that what it throws and what it rejects with are one.
    void new Promise((resolve) => resolve(audit(event))).catch(onError);
  };
}
