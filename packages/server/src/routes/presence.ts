// What a reader of a stream shows of itself to the others on its threads.
//
// Invariants:
// - The actor is the stream's, and the session's name is the server's. A body cannot pretend to be
//   another participant.
// - A value that cannot be shown is a problem of its own thread.

import { defined } from "@opstate/core";
import type { PresenceValue } from "@opstate/client/carriers";
import { isObject } from "@opstate/core/json";
import { parsePointer } from "@opstate/core/json-patch";
import { requireRight } from "../http/access.ts";
import { Problem, problemMembers } from "../http/problem.ts";
import type { App, Services } from "./environment.ts";
import { toProblem } from "./problem-of-error.ts";
import { checkMembers, readObject } from "./read-request.ts";
import { streamOrAnswer } from "./stream-elsewhere.ts";

/** Characters of one value as JSON. */
const VALUE_LIMIT = 2_048;

const TAB = /^[\w-]{1,40}$/;
const SHAPE = '{ "stream": "s-...", "tab"?, "threads": { "<thread id>": { "focus"?, "typing"?, "data"? } | null } }';

export function presenceRoutes(app: App, services: Services): void {
  const { operationLimits, onError } = services;

  app.post("/presence", async (context) => {
    const { access } = context.var;
    const body = await readObject(context.req.raw, operationLimits);
    checkMembers(body, ["stream", "tab", "threads"]);
    const { stream: name, threads: values } = body;
    if (typeof name !== "string" || !isObject(values)) throw new Problem("invalid_body", `The body must be ${SHAPE}.`);
    const tab = readTab(body["tab"]);
    const stream = await streamOrAnswer(context, name, body, services);
    if (stream instanceof Response) return stream;
    stream.answer();
    const session = tab === undefined ? stream.session : `${stream.session}.${tab}`;

    const show = async (threadId: string, given: unknown): Promise<void> => {
      const value = readValue(given);
      if (value) await requireRight(access, threadId, "write");
      const followed = stream.followed.get(threadId);
      if (followed) followed.show(session, value);
      else if (value) throw new Problem("not_followed", `The stream does not follow thread "${threadId}".`);
    };

    const problems = await Promise.all(
      Object.entries(values).map(async ([threadId, value]) => {
        try {
          await show(threadId, value);
          return [];
        } catch (error) {
          return [[threadId, problemMembers(toProblem(error, onError))] as const];
        }
      }),
    );
    if (problems.flat().length === 0) return context.body(null, 204);
    return context.json({ problems: Object.fromEntries(problems.flat()) });
  });
}

function readTab(tab: unknown): string | undefined {
  if (tab === undefined || (typeof tab === "string" && TAB.test(tab))) return tab;
  throw new Problem("invalid_body", "`tab` must be a text of 1 to 40 letters, digits, _ and -.");
}

/** Undefined: nothing is shown any more. */
function readValue(given: unknown): PresenceValue | undefined {
  if (given === null) return undefined;
  if (!isObject(given)) throw new Problem("invalid_body", `A value must be an object or null. The body is ${SHAPE}.`);
  checkMembers(given, ["focus", "typing", "data"]);
  const { focus, typing, data } = given;
  if (focus !== undefined && !isPointer(focus))
    throw new Problem("invalid_body", "`focus` must be a JSON Pointer, such as /columns/0/cards/2.");
  if (typing !== undefined && typeof typing !== "boolean")
    throw new Problem("invalid_body", "`typing` must be true or false.");
  const { length } = JSON.stringify(given);
  if (length > VALUE_LIMIT)
    throw new Problem("body_too_large", `A value may have ${VALUE_LIMIT} characters of JSON, not ${length}.`);
  return {
    ...defined({ focus, typing }),
    ...("data" in given && { data }),
  };
}

function isPointer(value: unknown): value is string {
  if (typeof value !== "string") return false;
  try {
    parsePointer(value);
    return true;
  } catch {
    return false;
  }
}
