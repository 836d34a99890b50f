// Mistakes of a programmer, which are thrown. A mistake of a sender is a Rejection, which is a
// value.

export type OpstateErrorCode =
  | "invalid_definition"
  | "invalid_pointer"
  | "invalid_branch"
  | "invalid_id"
  | "log_unavailable"
  | "timed_out"
  | "aborted"
  | "closed"
  | "corrupt_log"
  | "compacted"
  | "replaced"
  | "not_owner"
  | "definition_mismatch"
  | "other_options"
  | "unknown_thread"
  | "insecure_server"
  | "draft_misuse"
  | "page_build";

/**
 * A mistake in the code that uses opstate: an invalid definition, the use of a closed thread.
 * `code` is stable. `docs` is the address of its explanation.
 */
export class OpstateError extends Error {
  declare readonly code: OpstateErrorCode;
  declare readonly docs: string;

  constructor(code: OpstateErrorCode, message: string, options?: { cause?: unknown }) {
    const docs = `https://github.com/opstate/opstate/blob/main/docs/errors.md#${code}`;
    super(`${message}\nSee ${docs}`, options);
    this.name = "OpstateError";
    this.code = code;
    this.docs = docs;
  }
}
