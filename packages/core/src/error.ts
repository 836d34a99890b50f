// What a programmer did wrong, thrown at once. What a sender did wrong is a Rejection, a value.

export type OpstateErrorCode =
  | "invalid_definition"
  | "invalid_pointer"
  | "invalid_branch"
  | "invalid_id"
  | "log_unavailable"
  | "closed"
  | "corrupt_log"
  | "compacted"
  | "replaced"
  | "definition_mismatch"
  | "insecure_server"
  | "draft_misuse";

/**
 * A mistake in the code that uses opstate: a definition that cannot work, a closed thread that is
 * used. `code` is stable, `docs` is the address of the page section that explains it.
 */
export class OpstateError extends Error {
  readonly code: OpstateErrorCode;
  readonly docs: string;

  constructor(code: OpstateErrorCode, message: string, options?: { cause?: unknown }) {
    const docs = `https://github.com/opstate/opstate/blob/main/docs/errors.md#${code}`;
    super(`${message}\nSee ${docs}`, options);
    this.name = "OpstateError";
    this.code = code;
    this.docs = docs;
  }
}
