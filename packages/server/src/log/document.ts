// The documents of a log: JSON text of the value as it was when the call was made.

import { logError } from "@opstate/core/log/storage";

export function stringify(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw logError("corrupt_log", `Only JSON can be stored, not ${typeof value}.`);
  return text;
}

export function parse<T>(document: unknown): T {
  // `stringify` wrote this text from a value of the port's own types.
  return JSON.parse(String(document)) as T;
}
