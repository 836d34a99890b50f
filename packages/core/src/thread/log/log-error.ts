// What a log rejects with, for the part of it that stands beside its database.

import { OpstateError, type OpstateErrorCode } from "../../error.ts";

export type LogErrorCode = Extract<
  OpstateErrorCode,
  "aborted" | "closed" | "corrupt_log" | "log_unavailable" | "timed_out"
>;

/** An OpstateError of a log, made without the rest of what the root exports. */
export function logError(code: LogErrorCode, message: string, options?: ErrorOptions): OpstateError {
  return new OpstateError(code, message, options);
}

/** Whether the error has words and a code for its reader already. */
export function isOpstateError(error: unknown): error is OpstateError {
  return error instanceof OpstateError;
}
