// What an operation did wrong with its draft: it put in what is not JSON, or used a draft that has
// ended.

import { OpstateError } from "../../error.ts";
import { isRecord } from "../../json/container.ts";
import { formatPointer } from "../../patch/index.ts";

/**
 * `problem` says what is wrong, `path` is the JSON Pointer to the value that is, "" when there is
 * none to point at. The engine answers with a `failed` rejection; a draft that is touched after its
 * operation throws it where that happens.
 */
export class DraftError extends OpstateError {
  readonly problem: string;
  readonly path: string;

  constructor(problem: string, tokens: readonly (string | number)[] = [], options?: { readonly cause?: unknown }) {
    const path = formatPointer(tokens);
    const whole = path === "" ? problem : `${path} ${problem}`;
    super("draft_misuse", whole, options);
    this.name = "DraftError";
    this.problem = whole;
    this.path = path;
  }
}

/**
 * A key was put in that no state may have (`json/reserved-keys.ts`), such as one that a user chose.
 * The engine answers with `invalid_state`: that is no bug of the operation.
 */
export class ReservedKeyError extends DraftError {}

/** How engines say that something frozen was written to. */
const FROZEN = /read.?only|getter|not extensible|cannot (?:add|define|delete)|non-configurable|can't be deleted/i;

export function isFrozenWrite(error: unknown): error is TypeError {
  try {
    return error instanceof TypeError && FROZEN.test(error.message);
  } catch {
    // A proxy whose every trap throws.
    return false;
  }
}

/**
 * What a callback of an array method threw. A write to something frozen is explained.
 */
export function thrownIn(method: string, error: unknown): unknown {
  return isFrozenWrite(error) ? wroteToFrozen(`a callback of ${method}()`, error) : error;
}

/** Code wrote to what it was given to read. */
export function wroteToFrozen(who: string, cause: unknown): DraftError {
  const problem = `${who} wrote to something frozen, such as an item`;
  return new DraftError(`${problem}; use for...of, or change what find() returned`, [], { cause });
}

/** Why a single value, its children aside, cannot be part of a state; undefined when it can. */
export function flawOf(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `must be JSON, got ${value}`;
    case "object":
      return value === null || Array.isArray(value) || isRecord(value)
        ? undefined
        : `must be JSON, got ${nameOf(value)}`;
    default:
      return `must be JSON, got ${typeof value}`;
  }
}

function nameOf(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name}` : "an instance of a class";
}
