/** Why a patch was refused: a value to the caller, an exception inside `applyPatch` only. */

/**
 * What went wrong, by kind:
 * - `invalid_patch`: the patch is no array
 * - `invalid_operation`: an unknown `op`, a missing `path`, `from` or `value`, a forbidden move or
 *   remove
 * - `invalid_pointer`: a malformed `path` or `from`, or one that names `__proto__`
 * - `invalid_value`: a value that is not JSON, or has an own key `__proto__`
 * - `not_found`: nothing at `path` or `from`, an index that is malformed or out of bounds
 * - `test_failed`: a `test` found another value
 * - `too_large`: beyond one of the {@link PatchLimits}
 */
type PatchErrorCode =
  | "invalid_patch"
  | "invalid_operation"
  | "invalid_pointer"
  | "invalid_value"
  | "not_found"
  | "test_failed"
  | "too_large";

/** The operation that failed, where and why; nothing of the patch was applied. */
export interface PatchError {
  readonly code: PatchErrorCode;
  /** Position of the failed operation in the patch; -1 when the patch as a whole is refused. */
  readonly index: number;
  /** The failed operation as it was given; undefined when the patch as a whole is refused. */
  readonly operation: unknown;
  readonly message: string;
}

export class Refusal extends Error {
  readonly code: PatchErrorCode;

  constructor(code: PatchErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
