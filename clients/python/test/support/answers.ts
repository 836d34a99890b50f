// Random answers of a server to a submission: verdicts, problems, and what proxies make of them.

import * as fc from "fast-check";
import { REJECTION_PROBLEMS, REQUEST_PROBLEMS } from "../../../../packages/server/src/http/problem.ts";

export interface AnswerCase {
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly text?: string;
  };
}

const text = fc.string({ maxLength: 12 });
const version = fc.nat({ max: 100_000 });
const actor = fc.record({ kind: fc.constantFrom("user", "agent"), id: text });
const plain = fc.jsonValue({ maxDepth: 3, noUnicodeString: false }).map((value) => withoutFractions(value));

const commit = fc.record(
  {
    version,
    id: text,
    operation: plain,
    actor,
    at: text,
    runId: text,
    patches: fc.array(plain),
    inverse: fc.array(plain),
  },
  { requiredKeys: ["version", "id", "operation", "actor", "at", "patches", "inverse"] },
);

const accepted = fc
  .record({ accepted: fc.constant(true), version, commit }, { requiredKeys: ["accepted", "version"] })
  .map((body) => ({ status: 200, headers: {}, body }));

const rejected = fc
  .record({
    code: fc.constantFrom(...Object.keys(REJECTION_PROBLEMS)),
    version,
    attempt: fc.integer({ min: 1, max: 9 }),
    rejection: fc.record(
      { reason: text, message: text, path: text, details: plain, operation: plain },
      { requiredKeys: ["message", "operation"] },
    ),
  })
  .map(({ code, version, attempt, rejection }) => {
    const [status, title] = REJECTION_PROBLEMS[code as keyof typeof REJECTION_PROBLEMS];
    const refusal = { accepted: false, version, rejection: { code, ...rejection }, attempt };
    return { status, headers: {}, body: { type: "about:blank", title, status, detail: "D", code, ...refusal } };
  });

const PAST = ["Wed, 21 Oct 2015 07:28:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "Sat, 29 Feb 2020 00:00:00 GMT"];

const retryAfter = fc.oneof(
  fc.nat({ max: 1_000 }).map(String),
  fc.constantFrom("0.5", "12.25", ...PAST, "soon", "later today"),
);

const problem = fc
  .record(
    {
      code: fc.oneof(fc.constantFrom(...Object.keys(REQUEST_PROBLEMS)), plain),
      detail: fc.oneof(text, plain),
      retryAfter: fc.oneof(fc.nat({ max: 60 }), text),
      attempt: fc.nat(),
      header: retryAfter,
      status: fc.constantFrom(400, 401, 403, 404, 409, 410, 413, 415, 422, 429, 500, 502, 503),
    },
    { requiredKeys: ["status"] },
  )
  .map(({ header, status, ...body }) => ({
    status,
    headers: header === undefined ? {} : { "retry-after": header },
    body: { title: "T", status, ...body },
  }));

const ofProxy = fc
  .record({
    status: fc.constantFrom(400, 403, 413, 502, 504),
    text: fc.constantFrom("", "<html></html>", "[1]", '"x"', "null", "7"),
  })
  .map((answer) => ({ ...answer, headers: {} }));

export const answerCase: fc.Arbitrary<AnswerCase> = fc
  .oneof(accepted, rejected, problem, ofProxy)
  .map((answer) => ({ answer }));

/** Both languages read the same number where it is a small one. */
function withoutFractions(value: unknown): unknown {
  if (typeof value === "number") return Math.trunc(value % 1_000) || 0;
  if (Array.isArray(value)) return value.map(withoutFractions);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutFractions(part)]));
}
