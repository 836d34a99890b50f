// Who gets a refused update of a field.
//
// A reducer cannot throw, since a throw would make the thread unreadable. So a refusal would be
// silent: a node's code goes on, and its update is not there.
//
// - `onReject` is called, and nothing that it does reaches the reducer.
// - Without it the process warns in development, once for each field and reason.

import type { Rejection } from "@opstate/core";

/** The refused update, and its field: in an agent state its name, else that of the definition. */
export interface RefusedUpdate {
  readonly field: string;
  readonly update: unknown;
}

/**
 * Is called with updates that a field refused and no other code gets. LangGraph may run a reducer
 * several times for one write (an edge reads the state, a thread is read again), so it may be
 * called with one update more than once. What it returns is ignored; what it throws is a warning.
 */
export type OnReject = (rejection: Rejection, refused: RefusedUpdate) => unknown;

/** Options of a field, and of an agent state's fields. */
export interface FieldOptions {
  /** By default a refusal is a warning of the process in development, and nothing in production. */
  readonly onReject?: OnReject;
}

/** Never throws. */
export type Report = (rejection: Rejection, refused: RefusedUpdate) => void;

export function reportTo({ onReject }: FieldOptions): Report {
  if (onReject === undefined) return process.env["NODE_ENV"] === "production" ? () => undefined : warnOnce();
  return (rejection, refused) => {
    try {
      // It may be an async function.
      const result = onReject(rejection, refused);
      if (result instanceof Promise) result.catch(warnOfError);
    } catch (error) {
      warnOfError(error);
    }
  };
}

/** The refusal of what is dropped before a field sees it. */
export function droppedUpdate(message: string): Rejection {
  return { code: "invalid_operation", message, operation: { type: "update" } };
}

function warnOnce(): Report {
  const warned = new Set<string>();
  return ({ code, reason = code, message }, { field }) => {
    const kind = `An update of "${field}" was refused (${reason}) and changed nothing.`;
    if (warned.has(kind)) return;
    warned.add(kind);
    process.emitWarning(
      `${kind} ${message.replace(/\.$/, "")}. Further ones are not shown; the option onReject gets each.`,
      {
        code: "OPSTATE_REFUSED_UPDATE",
      },
    );
  };
}

function warnOfError(error: unknown): void {
  process.emitWarning(`onReject threw: ${error instanceof Error ? error.message : String(error)}`, {
    code: "OPSTATE_ON_REJECT",
  });
}
