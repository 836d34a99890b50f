// The changes of a branch one after another: a list of all of them may be large.

import type { AbortSignalLike } from "../pace.ts";
import type { ItemRange } from "../options.ts";
import type { BranchChange } from "../results.ts";
import type { Branch } from "../thread.ts";

export type ChangeRange = ItemRange & { readonly signal?: AbortSignalLike };

/** How the changes of a branch are read, by the branch that a thread gave. */
export const changeReaders = new WeakMap<
  Branch,
  (range: ChangeRange) => AsyncGenerator<BranchChange, void, undefined>
>();

/**
 * What `branch.diff` lists, one change after another. None is held, unless something was undone on
 * the branch.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { changesOver } from "@opstate/core/thread";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.number() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.number() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const branch = await thread.branch();
 * await branch.dispatch(counter.op.add({ by: 2 }), { actor: { kind: "user", id: "ada" } });
 * const sentences: string[] = [];
 * for await (const { sentence } of changesOver(branch)) sentences.push(sentence);
 * sentences; // ['add {"by":2}']
 * ```
 */
export async function* changesOver(
  branch: Branch,
  range: ChangeRange = {},
): AsyncGenerator<BranchChange, void, undefined> {
  const read = changeReaders.get(branch);
  if (read === undefined) yield* await branch.diff(range);
  else yield* read(range);
}
