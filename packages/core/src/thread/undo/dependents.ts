// The refusal of an undo that names who needs what would be taken back.

import { defined } from "../../defined.ts";
import { rejection } from "../../engine/reject.ts";
import type { Rejection } from "../../engine/rejection.ts";
import type { Commit } from "../commit.ts";
import { UNDO } from "../entries.ts";
import type { OnDependent } from "../options.ts";
import type { Found } from "./again.ts";

/** A commit that would do something else, or nothing, without what is taken back. */
export interface Dependent {
  readonly commit: Commit;
  readonly found: Found;
  /** What it would do now, in words. */
  readonly would: string;
}

export function dependentsRejection(dependents: readonly Dependent[], onDependent: OnDependent | undefined): Rejection {
  const [first] = dependents;
  const message =
    onDependent === "keep"
      ? `${counted(dependents)} cannot be kept as ${dependents.length === 1 ? "it was" : "they were"}; the first, at version ${first?.commit.version}, ${sentence(first?.would)} Take them back too: onDependent: "drop".`
      : `${counted(dependents)} would do something else without what is taken back; the first, at version ${first?.commit.version}, ${sentence(first?.would)} Undo them too, or send onDependent: "drop" to leave them out, "keep" to keep what they did.`;
  return rejection("conflict", UNDO, message, {
    reason: "dependents",
    details: {
      dependents: dependents.map(({ commit }) => commit.id),
      why: dependents.slice(0, 5).map(({ commit, found, would }) => ({
        id: commit.id,
        version: commit.version,
        type: commit.operation.type,
        ...codeOf(found),
        would,
      })),
    },
  });
}

function codeOf(found: Found): { readonly code: string; readonly reason?: string } {
  const refusal =
    found.how === "refused" ? found.rejection : found.fault?.why === "schema" ? found.fault.rejection : undefined;
  return refusal === undefined
    ? { code: "conflict", reason: "other_thing" }
    : { code: refusal.code, ...defined({ reason: refusal.reason }) };
}

function counted({ length }: readonly Dependent[]): string {
  return `${length} later ${length === 1 ? "operation" : "operations"}`;
}

function sentence(text = ""): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
