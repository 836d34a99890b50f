// What came in with a dispatch, checked and copied at once: what the sender does with its objects
// afterwards changes nothing.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { Actor } from "../../engine/actor.ts";
import { rejection } from "../../engine/reject.ts";
import type { Rejection } from "../../engine/rejection.ts";
import type { Computed, Head } from "./computed.ts";
import { idRule, isId } from "../id.ts";
import { readUpdate, type UpdateRead } from "./read-update.ts";
import type { DispatchOptions } from "../options.ts";
import { typeOf } from "../type-of.ts";

/** One submission as the authority takes it. */
export interface ParsedSubmission extends UpdateRead {
  readonly actor: Actor;
  readonly id: string;
  readonly origin: { readonly runId?: string; readonly toolCallId?: string };
  readonly expectedVersion: number | undefined;
  readonly at: string;
  /**
   * Under whose id its effect is remembered, where that is not the submission's own: then only one
   * of all who ask for it has the effect.
   */
  readonly dedupeKey?: { readonly actor: Actor; readonly id: string };
  /**
   * Gives the transition where the reducer alone cannot: what must read the log first is judged
   * apart from others.
   */
  readonly compute?: (head: Head) => Promise<Computed>;
}

export type ParseResult =
  | { readonly ok: true; readonly submission: ParsedSubmission }
  | { readonly ok: false; readonly rejection: Rejection };

/**
 * Never throws. An envelope that is no good is refused without a trace: there is nobody, or no id,
 * to remember it by.
 */
export function parseSubmission(
  definition: AnyDefinition,
  update: unknown,
  options: DispatchOptions,
  mint: { id: () => string; now: () => string },
): ParseResult {
  const problem = findProblem(options);
  if (problem !== undefined)
    return { ok: false, rejection: rejection(problem.code, typeOf(update), problem.message, { path: problem.path }) };
  const { actor, id, runId, toolCallId, expectedVersion } = options;
  return {
    ok: true,
    submission: {
      actor: { kind: actor.kind, id: actor.id },
      id: id ?? mint.id(),
      origin: { ...(runId === undefined ? {} : { runId }), ...(toolCallId === undefined ? {} : { toolCallId }) },
      expectedVersion,
      at: mint.now(),
      ...readUpdate(definition, update),
    },
  };
}

/**
 * What is wrong with the envelope of a submission. The types forbid all of it; a payload from
 * outside may still bring it.
 */
function findProblem(
  options: DispatchOptions,
): { code: "forbidden" | "invalid_operation"; message: string; path: string } | undefined {
  const { actor, expectedVersion }: { actor?: Partial<Actor>; expectedVersion?: number } = options;
  if (!isId(actor?.kind) || !isId(actor.id)) {
    const message = `A submission needs an actor, such as { kind: "user", id: "ada" }; both are ${idRule}.`;
    return { code: "forbidden", path: "/actor", message };
  }
  for (const name of ["id", "runId", "toolCallId"] as const) {
    const value: unknown = options[name];
    if (value !== undefined && !isId(value))
      return { code: "invalid_operation", path: `/${name}`, message: `"${name}" must be a text of ${idRule}.` };
  }
  if (expectedVersion !== undefined && (!Number.isSafeInteger(expectedVersion) || expectedVersion < 0)) {
    return {
      code: "invalid_operation",
      path: "/expectedVersion",
      message: '"expectedVersion" must be a version: 0, 1, 2...',
    };
  }
  return undefined;
}
