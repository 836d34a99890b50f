// What a client may post: a bare operation, a submission, or a list of them. Its shape is checked
// here; the engine checks the operation.

import { idRule, isId } from "@opstate/core/thread";
import type { Submission } from "@opstate/core/transport";
import { Problem } from "../http/problem.ts";
import { isObject } from "@opstate/core/json";

/** A submission whose id the authority mints when it is absent. */
export type Posted = Omit<Submission, "id"> & { readonly id?: string };

/** What is posted beside an operation. */
export type Envelope = Omit<Posted, "operation">;

const LIST_LIMIT = 256;
const ENVELOPE = ["id", "runId", "toolCallId", "expectedVersion"];
const known = new Set([...ENVELOPE, "operation"]);
const SHAPES =
  'a submission { "operation": ..., "id"?, "runId"?, "toolCallId"?, "expectedVersion"? }, an operation { "type": ... }, or a list of these';

/** Every posted submission of a list, in order. */
export function parseList(body: readonly unknown[]): readonly Posted[] {
  if (body.length === 0 || body.length > LIST_LIMIT)
    throw new Problem("invalid_body", `A list holds 1 to ${LIST_LIMIT} submissions, not ${body.length}.`);
  return body.map((item, index) => parsePosted(item, `/${index}`));
}

/** One submission; `at` is where it stands in the body, as a JSON Pointer. */
export function parsePosted(item: unknown, at = ""): Posted {
  if (!isObject(item)) throw new Problem("invalid_body", `${place(at)} must be ${SHAPES}.`);
  if (Object.hasOwn(item, "actor")) {
    throw new Problem(
      "actor_in_body",
      `${place(at)} has a member "actor". Who acts is known from the request's credentials; remove it.`,
    );
  }
  if (typeof item["type"] === "string") return { operation: item };
  if (!Object.hasOwn(item, "operation"))
    throw new Problem(
      "invalid_body",
      `${place(at)} must be ${SHAPES}. Wrap a replacement: { "operation": <the value> }.`,
    );
  const unknown = Object.keys(item).find((key) => !known.has(key));
  if (unknown !== undefined)
    throw new Problem(
      "invalid_body",
      `${place(at)} has a member "${unknown.slice(0, 60)}" that no submission has. It must be ${SHAPES}.`,
    );
  return { operation: item["operation"], ...envelopeOf(item, at) };
}

/**
 * The body of a route that submits something of opstate's own, such as an undo: the envelope of a
 * submission, and the members that the route takes beside it. Anything else is refused.
 */
export function readEnvelope(body: Readonly<Record<string, unknown>>, own: readonly string[]): Envelope {
  checkMembers(body, [...ENVELOPE, ...own]);
  return envelopeOf(body, "");
}

/** Refuses members that a route does not take, above all an actor. */
export function checkMembers(body: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  if (Object.hasOwn(body, "actor"))
    throw new Problem(
      "actor_in_body",
      `The body has a member "actor". Who acts is known from the request's credentials; remove it.`,
    );
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new Problem(
      "invalid_body",
      `The body has a member "${unknown.slice(0, 60)}"; this route takes ${known.join(", ")}.`,
    );
}

function envelopeOf(item: Readonly<Record<string, unknown>>, at: string): Envelope {
  const { expectedVersion } = item;
  if (expectedVersion !== undefined && !isVersion(expectedVersion))
    throw new Problem("invalid_body", `${place(at)}: expectedVersion must be a whole number from 0.`);
  return {
    ...idMember(item, "id", at),
    ...idMember(item, "runId", at),
    ...idMember(item, "toolCallId", at),
    ...(expectedVersion !== undefined && { expectedVersion }),
  };
}

function idMember<Name extends string>(
  item: Readonly<Record<string, unknown>>,
  name: Name,
  at: string,
): { readonly [N in Name]?: string } {
  const value = item[name];
  if (value === undefined) return {};
  if (!isId(value)) throw new Problem("invalid_body", `${place(at)}: ${name} must be a string of ${idRule}.`);
  // A computed key widens to string; the value was checked above.
  return { [name]: value } as { readonly [N in Name]?: string };
}

export function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function place(at: string): string {
  return at === "" ? "The body" : `The item at ${at}`;
}
