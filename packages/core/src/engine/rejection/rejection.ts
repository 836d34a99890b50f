// Why an update was refused: plain JSON of at most 2 KB, for the UI, the model and the log.

import type { Issue } from "../validation/issues.ts";
import type { AnyOperation } from "../operation.ts";

export type RejectionCode =
  | "invalid_operation"
  | "unknown_operation"
  | "invalid_state"
  | "no_state"
  | "refused"
  | "forbidden"
  | "needs_approval"
  | "conflict"
  | "too_large"
  | "failed";

/**
 * Whether a refusal is final. `conflict` and `needs_approval` are not: the same update may be
 * accepted later, on another state or with an approval.
 */
export function isFinal({ code }: Rejection): boolean {
  return code !== "conflict" && code !== "needs_approval";
}

/**
 * A refused update. `code` is opstate's, `reason` the application's (from `reject(reason, message,
 * details)`), `message` is a sentence for a person or a model, `path` a JSON Pointer to what was
 * wrong, `details` what would be legal, as the application gave it.
 */
export interface Rejection {
  readonly code: RejectionCode;
  readonly reason?: string;
  readonly message: string;
  readonly path?: string;
  readonly issues?: readonly Issue[];
  readonly details?: unknown;
  readonly operation: AnyOperation;
}
