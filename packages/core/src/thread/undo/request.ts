// What is to be undone, as the caller of `thread.undo` gives it: checked once, here.

import type { Actor } from "../../engine/actor.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import { defined } from "../../defined.ts";
import { UNDO } from "../entries.ts";
import { ID_LIST_LIMIT, isIdList } from "../id.ts";
import type { OnDependent } from "../options.ts";

/**
 * Checked and detached. Its hash tells submissions with one id apart, so the members keep their
 * names.
 */
export interface UndoRequest {
  readonly type: typeof UNDO;
  readonly ids?: readonly string[];
  readonly runId?: string;
  readonly actor?: Actor;
  readonly since?: number;
  readonly onDependent?: OnDependent;
}

export type ParsedUndo =
  | { readonly ok: true; readonly request: UndoRequest }
  | { readonly ok: false; readonly rejection: Rejection };

/** The types forbid most of what is refused here, but a target from outside may contain it. */
export function parseUndo(target: object, onDependent: unknown): ParsedUndo {
  const { ids, runId, actor, since }: { readonly [key: string]: unknown } = { ...target };
  const wrong = (path: string, message: string): ParsedUndo => ({
    ok: false,
    rejection: rejection("invalid_operation", UNDO, message, { path }),
  });
  if (ids !== undefined && !isIdList(ids))
    return wrong("/ids", `"ids" is a list of 1 to ${ID_LIST_LIMIT} ids of submissions.`);
  if (runId !== undefined && typeof runId !== "string")
    return wrong("/runId", '"runId" is the text that the commits of a run carry.');
  if (actor !== undefined && !isActor(actor))
    return wrong("/actor", 'An actor to undo is { kind, id }, such as { kind: "agent", id: "planner" }.');
  if (ids === undefined && runId === undefined && actor === undefined)
    return wrong("", "Say what to undo: { ids }, { runId } or { actor }.");
  if (since !== undefined && !isVersion(since)) return wrong("/since", '"since" is a version: 0, 1, 2...');
  if (onDependent !== undefined && onDependent !== "refuse" && onDependent !== "drop" && onDependent !== "keep")
    return wrong("/onDependent", '"onDependent" is "refuse", "drop" or "keep".');
  const copy = {
    ids: ids === undefined ? undefined : [...ids],
    actor: actor === undefined ? undefined : { kind: actor.kind, id: actor.id },
  };
  return { ok: true, request: { type: UNDO, ...defined({ ...copy, runId, since, onDependent }) } };
}

function isActor(actor: unknown): actor is Actor {
  if (typeof actor !== "object" || actor === null || !("kind" in actor) || !("id" in actor)) return false;
  return typeof actor.kind === "string" && typeof actor.id === "string";
}

function isVersion(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
