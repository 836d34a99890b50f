// What a recipe did wrong with its draft: put in what is not JSON, or used a draft that has ended.

import { formatPointer } from "../patch/index.ts";

/** `path` is the JSON Pointer to the value that is wrong, "" when there is none to point at. The engine answers with a `failed` rejection. */
export class DraftError extends Error {
  readonly path: string;

  constructor(problem: string, tokens: readonly (string | number)[] = []) {
    const path = formatPointer(tokens);
    super(path === "" ? problem : `${path} ${problem}`);
    this.name = "DraftError";
    this.path = path;
  }
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
      return value === null || Array.isArray(value) || isPlain(value) ? undefined : `must be JSON, got ${nameOf(value)}`;
    default:
      return `must be JSON, got ${typeof value}`;
  }
}

/** Plain objects of another realm count. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name}` : "an instance of a class";
}
