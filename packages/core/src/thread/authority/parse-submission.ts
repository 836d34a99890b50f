// The envelope of a submission: who submits, under which id, checked.

import type { Actor } from "../../engine/actor.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import type { Aside, Computed, Head } from "./computed.ts";
import { ID_RULE, isId } from "../id.ts";
import type { UpdateRead } from "./read-update.ts";
import type { DispatchOptions } from "../options.ts";
import type { SubmissionTiming } from "./timing.ts";
import { type SubmittedThing, thingsFault } from "../things/submitted-things.ts";
import { trustedTime } from "./remembered.ts";
import { typeOf } from "../type-of.ts";

/** One submission, checked and detached. */
export interface ParsedSubmission extends UpdateRead {
  readonly actor: Actor;
  readonly id: string;
  /** Its id was drawn here, just now. */
  readonly isNew: boolean;
  readonly origin: { readonly runId?: string; readonly toolCallId?: string };
  readonly expectedVersion: number | undefined;
  readonly basedOn: number | undefined;
  readonly things: readonly SubmittedThing[] | undefined;
  /** When it was made, in milliseconds since 1970; never later than `at`. */
  readonly madeAt: number | undefined;
  readonly at: string;
  /**
   * The actor and id that its effect is remembered by, where they are not the submission's own. Of
   * all submissions with one key, one has the effect.
   */
  readonly dedupeKey?: { readonly actor: Actor; readonly id: string };
  /**
   * Gives the transition where the reducer alone cannot because the log must be read first. Such a
   * submission is judged apart from others.
   */
  readonly compute?: (head: Head) => Promise<Computed | Aside>;
  /** Where there is an observer. */
  readonly timing?: SubmissionTiming;
}

export type ParseResult =
  | { readonly ok: true; readonly submission: ParsedSubmission }
  | { readonly ok: false; readonly rejection: Rejection };

/**
 * Never throws. A faulty envelope is refused without a trace: there is no actor, or no id, to
 * remember it by.
 */
export function parseSubmission(
  update: UpdateRead,
  options: DispatchOptions,
  mint: { id: () => string; now: () => string },
): ParseResult {
  const problem = findProblem(options);
  if (problem !== undefined)
    return {
      ok: false,
      rejection: rejection(problem.code, typeOf(update.operation), problem.message, { path: problem.path }),
    };
  const { actor, id, runId, toolCallId, expectedVersion, basedOn, things, madeAt } = options;
  const at = mint.now();
  return {
    ok: true,
    submission: {
      actor: { kind: actor.kind, id: actor.id },
      id: id ?? mint.id(),
      isNew: id === undefined,
      origin: { ...(runId === undefined ? {} : { runId }), ...(toolCallId === undefined ? {} : { toolCallId }) },
      expectedVersion,
      basedOn,
      things: things && things.map((thing) => (typeof thing === "string" ? thing : { ...thing })),
      madeAt: madeAt === undefined ? undefined : trustedTime(madeAt, Date.parse(at)),
      at,
      ...update,
    },
  };
}

/**
 * What is wrong with an envelope. The types forbid all of it, but a payload from outside may
 * contain it.
 */
function findProblem(
  options: DispatchOptions,
): { code: "forbidden" | "invalid_operation"; message: string; path: string } | undefined {
  const { actor, things }: { actor?: Partial<Actor>; things?: unknown } = options;
  if (!isId(actor?.kind) || !isId(actor.id)) {
    const message = `A submission needs an actor, such as { kind: "user", id: "ada" }; both are ${ID_RULE}.`;
    return { code: "forbidden", path: "/actor", message };
  }
  for (const name of ["id", "runId", "toolCallId"] as const) {
    const value: unknown = options[name];
    if (value !== undefined && !isId(value))
      return { code: "invalid_operation", path: `/${name}`, message: `"${name}" must be a text of ${ID_RULE}.` };
  }
  for (const name of ["expectedVersion", "basedOn"] as const) {
    const version: unknown = options[name];
    if (version === undefined || (Number.isSafeInteger(version) && Number(version) >= 0)) continue;
    return { code: "invalid_operation", path: `/${name}`, message: `"${name}" must be a version: 0, 1, 2...` };
  }
  const { madeAt }: { madeAt?: unknown } = options;
  if (madeAt !== undefined && !(Number.isSafeInteger(madeAt) && Number(madeAt) >= 0))
    return {
      code: "invalid_operation",
      path: "/madeAt",
      message: '"madeAt" must be whole milliseconds since 1970, as Date.now() gives.',
    };
  const fault = things === undefined ? undefined : thingsFault(things);
  if (fault !== undefined) return { code: "invalid_operation", path: "/things", message: `"things" ${fault}.` };
  return undefined;
}
