// The id under which a model's tool call has one effect, however often a host runs the tool.
//
// The id of the call alone is not unique: some providers count from `call_0` in every message. The
// id of what the call is in makes it unique: of the model's message, or of the host's task.

import { shortId } from "./short-id.ts";

/**
 * The submission id of a call. `scope` is the id of its message or its task. Of several operations
 * that one call does, `nth` is 1 for the first, 2 for the second.
 *
 * @example
 * ```ts
 * import { submissionOf } from "@opstate/agent";
 *
 * submissionOf("msg_7", "call_0"); // "msg_7/call_0"
 * submissionOf("msg_7", "call_0", 2); // "msg_7/call_0/2"
 * ```
 */
export function submissionOf(scope: string, toolCallId: string, nth = 1): string {
  const id = `${shortId(scope)}/${shortId(toolCallId)}`;
  return nth === 1 ? id : `${id}/${nth}`;
}
