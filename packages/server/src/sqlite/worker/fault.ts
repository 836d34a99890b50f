// An error as it is sent to another thread, which keeps no class and no code of its own.

import { isOpstateError, logError, type LogErrorCode } from "@opstate/core/log/storage";

export interface Fault {
  readonly kind: "OpstateError" | "RangeError" | "Error";
  readonly message: string;
  readonly stack: string | undefined;
  /** Of an OpstateError, or of SQLite: `code`, `errcode`, `errstr`. */
  readonly details: Readonly<Record<string, unknown>>;
}

const DETAILS = ["code", "errcode", "errstr"];

export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { kind: "Error", message: String(error), stack: undefined, details: {} };
  const kind = isOpstateError(error) ? "OpstateError" : error instanceof RangeError ? "RangeError" : "Error";
  const details = Object.fromEntries(
    DETAILS.flatMap((name) => (name in error ? [[name, Reflect.get(error, name)]] : [])),
  );
  return { kind, message: error.message, stack: error.stack, details };
}

export function errorOf({ kind, message, stack, details }: Fault): Error {
  const error =
    kind === "OpstateError"
      ? logError(details["code"] as LogErrorCode, "")
      : kind === "RangeError"
        ? new RangeError()
        : new Error();
  error.message = message;
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, details);
}
