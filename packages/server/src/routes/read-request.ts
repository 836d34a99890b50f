// Reads ids, queries and bodies of requests, and refuses what a route does not accept.

import type { Actor } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import { sameActor } from "@opstate/core/thread";
import type { Context } from "hono";
import { type BodyLimits, type OnStart, readJson } from "../http/json-body.ts";
import { Problem } from "../http/problem.ts";
import { wholeNumber } from "../http/whole-number.ts";
import type { Environment } from "./environment.ts";

/** The body as a JSON object. */
export async function readObject(
  request: Request,
  limits: BodyLimits,
  onStart?: OnStart,
): Promise<Record<string, unknown>> {
  const body = await readJson(request, limits, onStart);
  if (!isObject(body)) throw new Problem("invalid_body", "The body must be a JSON object.");
  return body;
}

/**
 * The body of a request that may say as whom it is sent (`as`). That gives no rights: the actor is
 * that of the credentials, or nothing of the request is accepted.
 */
export async function readOwnObject(
  request: Request,
  limits: BodyLimits,
  actor: Actor,
): Promise<Record<string, unknown>> {
  const { as, ...body } = await readObject(request, limits);
  if (as !== undefined) checkSender(as, actor);
  return body;
}

/** The credentials of a page, such as a cookie, may be another actor's by now. */
export function checkSender(as: unknown, actor: Actor): void {
  const { kind, id } = isObject(as) ? as : {};
  if (typeof kind !== "string" || typeof id !== "string")
    throw new Problem("invalid_body", '`as` must be the actor of your `hello`: { "kind", "id" }.');
  if (!sameActor({ kind, id }, actor))
    throw new Problem(
      "other_actor",
      "The credentials belong to another actor now. Nothing was accepted. Connect again.",
    );
}

/** Refuses members that a route does not accept, above all an actor. */
export function checkMembers(body: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  refuseActor(body, "The body");
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new Problem(
      "invalid_body",
      `The body has an unknown member "${unknown.slice(0, 60)}". This route accepts ${known.join(", ")}.`,
    );
}

/** The actor comes from the credentials alone. `place` is the subject of the message. */
export function refuseActor(item: Readonly<Record<string, unknown>>, place: string): void {
  if (!Object.hasOwn(item, "actor")) return;
  throw new Problem(
    "actor_in_body",
    `${place} has a member "actor". The server knows the actor from the request's credentials. Remove the member.`,
  );
}

export function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** A whole number from the query, or `fallback` when it is absent. */
export function integerQuery(context: Context<Environment>, name: string, fallback: number): number {
  const text = context.req.query(name);
  if (text === undefined) return fallback;
  const number = wholeNumber(text);
  if (number === undefined)
    throw new Problem("invalid_query", `\`${name}\` must be a whole number, not "${text.slice(0, 40)}".`);
  return number;
}
