// A failed request as an RFC 9457 problem document with every fault.

import type { z } from "zod";

const TITLES = {
  invalid_body: [400, "The body is not what this route takes"],
  not_json: [400, "The body is not JSON"],
  wrong_host: [403, "This server answers on this machine only"],
  not_found: [404, "There is nothing here"],
  unknown_debate: [404, "There is no such debate"],
  id_taken: [409, "A debate with this id already exists"],
  running: [409, "The debate is running"],
  no_question: [409, "No question is waiting for this answer"],
  body_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "The body has the wrong content type"],
  failure: [500, "The server failed"],
  closing: [503, "The server is closing"],
} as const;

type ProblemCode = keyof typeof TITLES;

export interface Fault {
  /** A JSON Pointer into the body; "" is the body itself. */
  readonly pointer: string;
  readonly detail: string;
}

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly Fault[];

  constructor(code: ProblemCode, detail: string, faults: readonly Fault[] = []) {
    super(detail);
    this.name = "Problem";
    this.code = code;
    this.faults = faults;
  }
}

/** The problem of a body that fails its schema. */
export function invalidBody({ issues }: z.ZodError): Problem {
  const faults = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ pointer: pointerTo([...issue.path, key]), detail: "is not allowed here" }))
      : [{ pointer: pointerTo(issue.path), detail: issue.path.length === 0 ? "must be a JSON object" : issue.message }],
  );
  const sentence = faults
    .map(({ pointer, detail }) => `${pointer === "" ? "the body" : pointer.slice(1)} ${detail}`)
    .join("; ");
  return new Problem("invalid_body", `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`, faults);
}

export function problemResponse({ code, message, faults }: Problem): Response {
  const [status, title] = TITLES[code];
  const body = { title, status, detail: message, code, ...(faults.length > 0 && { errors: faults }) };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store" },
  });
}

const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
