// Problem documents (RFC 9457): what was wrong with a request.
//
// Invariants:
// - A route throws a Problem anywhere; one error handler turns it into the response.
// - Status, title and code of every problem are in the two tables of this file.

import { defined, type Rejection, type RejectionCode, type Verdict } from "@opstate/core";

const DOCS = "https://github.com/opstate/opstate/blob/main/docs/errors.md";

/** Problems of the request itself. A refused operation has the code of its rejection instead. */
export const REQUEST_PROBLEMS = {
  invalid_body: [400, "The body has the wrong shape for this route"],
  invalid_id: [400, "The id is invalid"],
  invalid_query: [400, "The query is invalid for this route"],
  not_json: [400, "The body is not JSON"],
  actor_in_body: [400, "The body must not name an actor"],
  too_many_threads: [400, "The stream would have too many threads"],
  unauthenticated: [401, "The sender is not authenticated"],
  not_allowed: [403, "The sender lacks a right"],
  node_refused: [403, "This is for another server of the log"],
  wrong_node: [403, "This is for another start of a server"],
  origin_refused: [403, "Requests from this origin are refused"],
  not_found: [404, "There is nothing here"],
  unknown_agent: [404, "There is no such agent"],
  unknown_branch: [404, "There is no such branch"],
  unknown_run: [404, "There is no such run"],
  unknown_stream: [404, "There is no such stream"],
  unknown_thread: [404, "There is no such thread"],
  unknown_version: [404, "There is no such version"],
  definition_differs: [409, "The thread holds another definition"],
  invalid_branch: [409, "A branch does not allow this"],
  not_continuable: [409, "The run cannot be continued"],
  not_owner: [409, "Another server owns the thread"],
  not_followed: [409, "The stream does not follow this thread"],
  other_actor: [409, "The sender is another actor now"],
  compacted: [410, "The history does not reach back that far"],
  body_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "The body has the wrong content type"],
  unknown_definition: [422, "There is no such definition"],
  too_many_requests: [429, "The sender has used up their share for now"],
  too_many_runs: [429, "Too many runs wait"],
  too_many_submissions: [429, "Too many submissions to one thread"],
  failure: [500, "The server failed"],
  closing: [503, "The server is closing"],
  log_unavailable: [503, "The log is unavailable at the moment"],
} as const;

export const REJECTION_PROBLEMS: Record<RejectionCode, readonly [status: number, title: string]> = {
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
  /** Seconds after which the same request may be accepted, where the status alone does not say. */
  readonly retryAfter: number | undefined;

  constructor(code: ProblemCode, detail: string, retryAfter?: number) {
    super(detail);
    this.name = "Problem";
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** With the id of the request, so that who reports it can name it. */
export function problemResponse({ code, message, retryAfter }: Problem, requestId?: string): Response {
  const [status, title] = REQUEST_PROBLEMS[code];
  const headers = retryAfter === undefined ? STATUS_HEADERS[status] : { "retry-after": String(retryAfter) };
  return problemDocumentResponse(status, title, code, message, headers, defined({ requestId }));
}

const STATUS_HEADERS: Readonly<Record<number, Record<string, string>>> = {
  401: { "www-authenticate": "Bearer" },
  429: { "retry-after": "5" },
  // Seconds. A server that closes, or a log that is locked, is back soon.
  503: { "retry-after": "1" },
};

/** The body of the problem, for a stream that has sent its status already. */
export function problemDocument({ code, message }: Problem): object {
  const [status, title] = REQUEST_PROBLEMS[code];
  return documentOf(status, title, code, message);
}

/** What a problem says, without the address of its documentation. */
export function problemMembers({ code, message, retryAfter }: Problem): object {
  const [status, title] = REQUEST_PROBLEMS[code];
  return { status, code, title, detail: message, ...defined({ retryAfter }) };
}

/** A refused operation. The problem document has the members of the verdict too. */
export function rejectionResponse(verdict: Extract<Verdict, { accepted: false }>): Response {
  const rejection: Rejection = verdict.rejection;
  const [status, title] = REJECTION_PROBLEMS[rejection.code];
  return problemDocumentResponse(status, title, rejection.code, rejection.message, {}, verdict);
}

function problemDocumentResponse(
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
