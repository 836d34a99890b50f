// An edit of the field of a thread, by `graph.updateState`, by a run's input or by a node. The
// thread decides, so its next snapshot replaces the edit. The edit is reported, so that it does not
// vanish silently.
//
//   field   v5 --- updateState --- v6' ---- the run begins --- v5
//   thread  v5 ------------------------------------------------
//                                  v6' is no version of the thread: `onReject` and the model
//                                  are notified

import { HumanMessage } from "@langchain/core/messages";
import { describeChanges } from "@opstate/agent";
import { defined, type Rejection, type Thread } from "@opstate/core";
import { diff, type Patch } from "@opstate/core/json-patch";
import { reportTo, type OnReject } from "../fields/on-reject.ts";
import { isFieldSnapshot } from "../fields/snapshot-field.ts";
import type { Written } from "../thread/run-memory.ts";

/** The snapshot that the middleware writes, for `findEdit` to recognize later. */
export function written({ threadId, incarnation, version }: Thread): Written {
  return { threadId, incarnation, version };
}

/**
 * What an edit changed in the field; undefined when the field holds what the thread held at its
 * version. `last` is what the middleware wrote last.
 */
export async function findEdit(thread: Thread, found: unknown, last: Written | undefined): Promise<Patch | undefined> {
  if (!isFieldSnapshot(found) || found.state === null) return undefined;
  const { version, state } = found;
  if (last === undefined ? version === 0 : version === last.version) return undefined;
  // The conversation went over to another thread, or the thread was created anew.
  if (last !== undefined && (last.threadId !== thread.threadId || last.incarnation !== thread.incarnation))
    return undefined;
  const known = Math.min(version, thread.version);
  if (known < thread.floor) return undefined;
  const patch = diff(known === thread.version ? thread.getState() : await thread.stateAt(known), state);
  return patch.length === 0 ? undefined : patch;
}

/** Reports the edit to `onReject`, as a patch. Gives the words for the model. Never throws. */
export function reportEdit(field: string, patch: Patch, onReject: OnReject | undefined): string {
  const message = `An edit of the graph's field "${field}" had no effect: the thread decides, and the field follows it. Submit the edit to the thread. It was: ${describeChanges(patch)}`;
  const rejection: Rejection = {
    code: "refused",
    reason: "thread_decides",
    message,
    operation: { type: "updateState" },
  };
  reportTo(defined({ onReject }))(rejection, { field, update: { type: "$patch", patch } });
  return `The field "${field}" of this conversation was edited. The edit had no effect, because "${field}" follows its thread: what you are shown is the state. The edit was: ${describeChanges(patch)}`;
}

/** The message that says it to the model, in the call alone. */
export function editMessage(notice: string): HumanMessage {
  return new HumanMessage(`From the application, not from the user:\n${notice}`);
}
