// What a request did wrong, as an RFC 9457 problem document. Thrown anywhere in a route, answered
// in one place.

import type { Rejection, RejectionCode, Verdict } from "@opstate/core";

const DOCS = "https://github.com/opstate/opstate/blob/main/docs/errors.md";

/** Problems of a request itself; what the engine refused has the rejection's code. */
const REQUEST_PROBLEMS = {
  invalid_body: [400, "The body is not what this route takes"],
  invalid_id: [400, "An id is not usable"],
  invalid_query: [400, "The query is not what this route takes"],
  not_json: [400, "The body is not JSON"],
  actor_in_body: [400, "The actor cannot come from the body"],
  unauthenticated: [401, "Who asks is not known"],
  not_allowed: [403, "Not allowed"],
  origin_refused: [403, "Requests from this origin are not taken"],
  not_found: [404, "There is nothing here"],
  unknown_agent: [404, "There is no such agent"],
  unknown_branch: [404, "There is no such branch"],
  unknown_thread: [404, "There is no such thread"],
  unknown_version: [404, "There is no such version"],
  definition_differs: [409, "The thread holds another definition"],
  invalid_branch: [409, "This is not possible with a branch"],
  compacted: [410, "The history does not reach back so far"],
  body_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "The body has the wrong content type"],
  unknown_definition: [422, "There is no such definition"],
  failure: [500, "The server failed"],
  closing: [503, "The server is closing"],
  log_unavailable: [503, "The log cannot be used at the moment"],
} as const;

const REJECTION_PROBLEMS: Record<RejectionCode, readonly [status: number, title: string]> = {
  invalid_operation: [422, "The operation has the wrong shape"],
  unknown_operation: [422, "There is no such operation"],
  invalid_state: [422, "The state would break its schema"],
  refused: [422, "The operation was refused"],
  forbidden: [403, "The actor may not use this operation"],
  no_state: [409, "There is no state yet"],
  needs_approval: [409, "The operation needs approval"],
  conflict: [409, "The state is at another version"],
  too_large: [413, "The operation is too large"],
  failed: [500, "The operation failed"],
};

export type ProblemCode = keyof typeof REQUEST_PROBLEMS;

export class Problem extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, detail: string) {
    super(detail);
    this.name = "Problem";
    this.code = code;
  }
}

export function problemResponse({ code, message }: Problem): Response {
  const [status, title] = REQUEST_PROBLEMS[code];
  return answer(status, title, code, message, HEADERS_FOR[status]);
}

const HEADERS_FOR: Readonly<Record<number, Record<string, string>>> = {
  401: { "www-authenticate": "Bearer" },
  // Seconds. What is closing or locked is so for a moment.
  503: { "retry-after": "1" },
};

/** What a stream ends with when the answer to its request would be a problem by now. */
export function problemDocument({ code, message }: Problem): object {
  const [status, title] = REQUEST_PROBLEMS[code];
  return documentOf(status, title, code, message);
}

/** A refused operation: the problem document carries the verdict's members too. */
export function rejectionResponse(verdict: Extract<Verdict, { accepted: false }>): Response {
  const rejection: Rejection = verdict.rejection;
  const [status, title] = REJECTION_PROBLEMS[rejection.code];
  return answer(status, title, rejection.code, rejection.message, {}, verdict);
}

function answer(
  status: number,
  title: string,
  code: string,
  detail: string,
  headers: Record<string, string> = {},
  members: object = {},
): Response {
  const body = { ...documentOf(status, title, code, detail), ...members };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
  });
}

function documentOf(status: number, title: string, code: string, detail: string): object {
  return { type: `${DOCS}#${code}`, title, status, detail, code };
}
