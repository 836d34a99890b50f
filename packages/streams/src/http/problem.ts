// Problem documents (RFC 9457): what was wrong with a request.
//
// Invariants:
// - A route throws a Problem anywhere; one handler turns it into the response.
// - Status and title of every problem are in the table of this file.

import { OpstateError } from "@opstate/core";

const DOCS = "https://github.com/opstate/opstate/blob/main/docs/errors.md";

const PROBLEMS = {
  invalid_header: [400, "A header is invalid"],
  invalid_id: [400, "The id is invalid"],
  invalid_query: [400, "The query is invalid"],
  empty_body: [400, "The body is empty"],
  not_json: [400, "The body is not JSON"],
  invalid_offset: [400, "The stream has no such offset"],
  epoch_begins_at_0: [400, "An epoch begins with sequence 0"],
  unauthenticated: [401, "The sender is not authenticated"],
  not_allowed: [403, "The sender lacks a right"],
  origin_refused: [403, "Requests from this origin are refused"],
  producer_fenced: [403, "A later epoch of the producer has written"],
  not_found: [404, "There is nothing here"],
  stream_not_found: [404, "There is no such stream"],
  method_not_allowed: [405, "Streams have no such method"],
  stream_differs: [409, "The stream is there, and is another one"],
  stream_closed: [409, "The stream is closed"],
  content_type_differs: [409, "The stream has another content type"],
  sequence_taken: [409, "The sequence is not greater than the last one"],
  producer_gap: [409, "An append before this one is missing"],
  stream_id_taken: [409, "The stream is deleted, and its forks need it"],
  fork_too_deep: [409, "The fork has too many streams behind it"],
  stream_deleted: [410, "The stream is deleted"],
  body_too_large: [413, "The body is too large"],
  stream_too_large: [413, "The stream is full"],
  too_many_streams: [429, "The sender has too many streams"],
  too_many_readers: [429, "The sender has too many live readers"],
  too_many_producers: [429, "The stream has too many producers"],
  failure: [500, "The server failed"],
  closing: [503, "The server is closing"],
  store_unavailable: [503, "The store is unavailable at the moment"],
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

const STATUS_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { "www-authenticate": "Bearer" },
  405: { allow: "DELETE, GET, HEAD, OPTIONS, POST, PUT" },
  429: { "retry-after": "5" },
  503: { "retry-after": "1" },
};

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.name = "Problem";
    this.code = code;
    this.headers = headers;
  }
}

export function problemResponse({ code, message, headers }: Problem): Response {
  const [status, title] = PROBLEMS[code];
  return new Response(JSON.stringify({ type: `${DOCS}#${code}`, title, status, detail: message, code }), {
    status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...STATUS_HEADERS[status],
      ...headers,
    },
  });
}

const UNAVAILABLE = new Set(["log_unavailable", "timed_out", "aborted", "closed"]);

/** What the caller gets of an error; one that is no problem is given to `onError`. */
export function toProblem(error: unknown, onError: (error: unknown) => void): Problem {
  if (error instanceof Problem) return error;
  onError(error);
  return error instanceof OpstateError && UNAVAILABLE.has(error.code)
    ? new Problem(
        "store_unavailable",
        "The store did not answer. An append may have been stored; repeat it with its Producer-Seq.",
      )
    : new Problem("failure", "The server failed. Its log says why.");
}
