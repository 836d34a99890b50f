// What a client may post: an operation, a submission, or a list of them. This file checks the
// shape; the engine checks the operation.

import { defined } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import { ID_RULE, isId, thingsFault } from "@opstate/core/thread";
import type { Submission } from "@opstate/core/transport";
import { Problem } from "../http/problem.ts";
import { checkMembers, isVersion, refuseActor } from "./read-request.ts";

/** A submission. The authority makes the id when it is absent. */
export type Posted = Omit<Submission, "id"> & { readonly id?: string };

/** The members of a submission beside its operation. */
export type Envelope = Omit<Posted, "operation">;

/** How many submissions one request may have. */
export const LIST_LIMIT = 256;
const ENVELOPE = ["id", "runId", "toolCallId", "expectedVersion", "madeAt"];
/** The members that say what an operation is for. */
export const BASIS = ["basedOn", "things"];
const SUBMISSION = new Set([...ENVELOPE, ...BASIS, "operation"]);
const SHAPES =
  'a submission { "operation": ..., "id"?, "runId"?, "toolCallId"?, "expectedVersion"?, "basedOn"?, "things"?, "madeAt"? }, an operation { "type": ... }, or a list of these';

/** The submissions of a list, in order. */
export function parsePostedList(body: readonly unknown[]): readonly Posted[] {
  if (body.length === 0 || body.length > LIST_LIMIT)
    throw new Problem("invalid_body", `A list must have 1 to ${LIST_LIMIT} submissions, not ${body.length}.`);
  return body.map((item, index) => parsePosted(item, `/${index}`));
}

/** One submission. `at` is its JSON Pointer in the body. */
export function parsePosted(item: unknown, at = ""): Posted {
  if (!isObject(item)) throw new Problem("invalid_body", `${placeOf(at)} must be ${SHAPES}.`);
  refuseActor(item, placeOf(at));
  if (typeof item["type"] === "string") return { operation: item };
  if (!Object.hasOwn(item, "operation"))
    throw new Problem(
      "invalid_body",
      `${placeOf(at)} must be ${SHAPES}. Send a replacement as { "operation": <the value> }.`,
    );
  const unknown = Object.keys(item).find((key) => !SUBMISSION.has(key));
  if (unknown !== undefined)
    throw new Problem(
      "invalid_body",
      `${placeOf(at)} has an unknown member "${unknown.slice(0, 60)}". It must be ${SHAPES}.`,
    );
  return { operation: item["operation"], ...envelopeOf(item, at), ...basisOf(item, at) };
}

/** The version that a submission is based on, and the things that it may change. */
export function basisOf(item: Readonly<Record<string, unknown>>, at: string): Pick<Posted, "basedOn" | "things"> {
  const { basedOn, things } = item;
  if (basedOn !== undefined && !isVersion(basedOn))
    throw new Problem("invalid_body", `${placeOf(at)}: "basedOn" must be a whole number from 0 on.`);
  if (things === undefined) return defined({ basedOn });
  const fault = thingsFault(things);
  if (fault !== undefined) throw new Problem("invalid_body", `${placeOf(at)}: "things" ${fault}.`);
  return defined({ basedOn, things: things as Posted["things"] });
}

/**
 * Reads the envelope from the body of a route with an operation of its own, such as an undo. `own`
 * are the other members that the route accepts; anything else is refused.
 */
export function readEnvelope(body: Readonly<Record<string, unknown>>, own: readonly string[]): Envelope {
  checkMembers(body, [...ENVELOPE, ...own]);
  return envelopeOf(body, "");
}

function envelopeOf(item: Readonly<Record<string, unknown>>, at: string): Envelope {
  const { expectedVersion, madeAt } = item;
  if (expectedVersion !== undefined && !isVersion(expectedVersion))
    throw new Problem("invalid_body", `${placeOf(at)}: "expectedVersion" must be a whole number from 0 on.`);
  if (madeAt !== undefined && !isVersion(madeAt))
    throw new Problem(
      "invalid_body",
      `${placeOf(at)}: "madeAt" must be whole milliseconds since 1970, when it was made: Date.now().`,
    );
  return defined({
    id: idMember(item, "id", at),
    runId: idMember(item, "runId", at),
    toolCallId: idMember(item, "toolCallId", at),
    expectedVersion,
    madeAt,
  });
}

function idMember(item: Readonly<Record<string, unknown>>, name: string, at: string): string | undefined {
  const value = item[name];
  if (value === undefined) return undefined;
  if (isId(value)) return value;
  throw new Problem("invalid_body", `${placeOf(at)}: "${name}" must be a text of ${ID_RULE}.`);
}

function placeOf(at: string): string {
  return at === "" ? "The body" : `The item at ${at}`;
}
