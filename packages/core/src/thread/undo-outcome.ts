// What an undo or redo did, and what prevents it, as a page shows it.
//
//   accepted   undoOutcome(verdict)       what stayed with other values, what stayed as it was
//                                         where it would do something else now, what went too
//   refused    dependentsOf(rejection)    which later operations would do something else now;
//                                         the page asks whether they are kept or dropped

import type { Rejection } from "../engine/rejection/rejection.ts";
import type { Verdict } from "./commit.ts";
import { droppedVersions, isUndo } from "./entries.ts";
import { versionsIn } from "./version-ranges.ts";
import { isObject } from "../json/container.ts";

/** What an undo or redo did, as versions of the thread, ascending. */
export interface UndoOutcome {
  /** What was requested to be undone. */
  readonly undone: readonly number[];
  /** Undone too, because it needed what was undone. */
  readonly dropped: readonly number[];
  /** Stayed with other values: it was computed anew, on the same things. */
  readonly recomputed: readonly number[];
  /** Stayed with what it did at first, on its own things; done again it would do something else. */
  readonly carried: readonly number[];
}

/** A later operation that would do something else without what is undone. */
export interface Dependent {
  /** The id of its submission. */
  readonly id: string;
  /** The following are there for the first few dependents. */
  readonly version?: number;
  /** The type of its operation. */
  readonly type?: string;
  /** What it did, in the words that its operation's `describe` gave. */
  readonly sentence?: string;
  /** What it would do now, in words: `would be refused: No card "T-4"`. */
  readonly would?: string;
  /**
   * Whether something of it stays with `onDependent: "keep"`; false when its things would be gone.
   */
  readonly stays?: boolean;
  /** When it would be refused: the `code` and `reason` of that refusal. */
  readonly code?: string;
  readonly reason?: string;
}

export interface Dependents {
  /** How many there are. */
  readonly total: number;
  /** In their order; at most 20. */
  readonly named: readonly Dependent[];
}

/**
 * What an undo or redo did. Undefined when it was refused, when there was nothing to undo, and for
 * the verdict of anything else.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { dependentsOf, undoOutcome } from "@opstate/core/thread";
 * import { z } from "zod";
 *
 * const list = defineState({
 *   name: "list",
 *   schema: z.object({ open: z.boolean(), count: z.int() }),
 *   initial: { open: false, count: 0 },
 *   operations: {
 *     open: { input: z.object({}), apply: (draft) => void (draft.open = true) },
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }, { reject }) {
 *         if (!draft.open) return reject("closed", "The list is closed");
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const ada = { kind: "user", id: "ada" };
 * const thread = await openThread({ definition: list, log: memoryLog(), threadId: "l" });
 * await thread.dispatch(list.op.open({}), { actor: ada, id: "open" });
 * await thread.dispatch(list.op.add({ by: 3 }), { actor: ada, id: "add" });
 *
 * const refused = await thread.undo({ ids: ["open"] }, { actor: ada });
 * if (!refused.accepted) dependentsOf(refused.rejection)?.named[0]?.would; // "would be refused: The list is closed"
 * const kept = await thread.undo({ ids: ["open"] }, { actor: ada, onDependent: "keep" });
 * undoOutcome(kept); // { undone: [1], dropped: [], recomputed: [], carried: [2] }
 * thread.getState(); // { open: false, count: 3 }
 * ```
 */
export function undoOutcome(verdict: Verdict | undefined): UndoOutcome | undefined {
  if (verdict?.accepted !== true) return undefined;
  const { commit } = verdict;
  if (commit === undefined || !isUndo(commit.operation)) return undefined;
  const { operation } = commit;
  const dropped = [...versionsIn(droppedVersions(operation))];
  const needed = new Set(dropped);
  return {
    undone: [...versionsIn(operation.versions)].filter((version) => !needed.has(version)),
    dropped,
    recomputed: [...versionsIn(operation.recomputed ?? [])],
    carried: [...versionsIn(operation.carried ?? [])],
  };
}

/**
 * The later operations for which an undo or redo was refused; undefined for any other refusal. Send
 * it again with `onDependent: "drop"` to take them back too, with `"keep"` to keep what they did.
 */
export function dependentsOf({ code, reason, details }: Rejection): Dependents | undefined {
  if (code !== "conflict" || reason !== "dependents" || !isObject(details)) return undefined;
  const { dependents, dependentsTotal, why } = details;
  const ids = Array.isArray(dependents) ? dependents.filter((id) => typeof id === "string") : [];
  const explained = new Map((Array.isArray(why) ? why.filter(isDependent) : []).map((each) => [each.id, each]));
  // The refusal of a merge has the same reason, and names no operations.
  if (ids.length === 0) return undefined;
  return {
    total: typeof dependentsTotal === "number" ? dependentsTotal : ids.length,
    named: ids.map((id) => explained.get(id) ?? { id }),
  };
}

function isDependent(value: unknown): value is Dependent {
  return isObject(value) && typeof value["id"] === "string" && typeof value["version"] === "number";
}
