/**
 * Reads one operation of an unknown patch: its shape, its pointers and its value, from own members.
 */
import { describe, quote } from "../json/describe.ts";
import { type Flaw, inspect } from "./inspect.ts";
import { isRecord, own } from "../json/container.ts";
import { PROTO } from "../json/reserved-keys.ts";
import type { PatchLimits, PatchOperation } from "./operation.ts";
import { explainPointer, formatPointer, readPointer } from "./pointer.ts";
import { Refusal } from "./refusal.ts";
import type { Location } from "./tree.ts";

/** An operation that is well formed; whether it fits the document is not known yet. */
export type Step =
  | { readonly op: "add" | "replace" | "test"; readonly at: Location; readonly value: unknown }
  | { readonly op: "remove"; readonly at: Location }
  | { readonly op: "move" | "copy"; readonly at: Location; readonly from: Location };

/** @param budget what all values of the patch may still amount to; this value is subtracted. */
export function decode(entry: unknown, limits: PatchLimits, budget: { left: number }): Step {
  try {
    return read(entry, limits, budget);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // A getter or a proxy that throws: the patch is unknown, so this is its fault, not a bug here.
    throw new Refusal("invalid_operation", "the operation cannot be read");
  }
}

function read(entry: unknown, limits: PatchLimits, budget: { left: number }): Step {
  if (!isRecord(entry)) {
    throw new Refusal("invalid_operation", `an operation is an object, not ${describe(entry)}`);
  }
  const op = own(entry, "op");
  switch (op) {
    case "remove":
      return { op, at: locate(entry, "path", limits) };
    case "move":
    case "copy":
      return { op, from: locate(entry, "from", limits), at: locate(entry, "path", limits) };
    case "add":
    case "replace":
    case "test": {
      const at = locate(entry, "path", limits);
      const value = own(entry, "value");
      if (value === undefined) throw new Refusal("invalid_operation", `${op} needs a "value"`);
      const flaw = inspect(value, limits.depth - at.depth, budget);
      if (flaw) throw refuse("value", flaw, limits.depth, limits.size);
      return { op, at, value };
    }
    default: {
      const given = op === undefined ? 'the "op" is missing' : `unknown op ${describe(op)}`;
      const known: PatchOperation["op"][] = ["add", "remove", "replace", "move", "copy", "test"];
      throw new Refusal("invalid_operation", `${given}; it must be one of ${known.join(", ")}`);
    }
  }
}

/** The refusal of a value with a flaw: where inside the value, and the limit it passed. */
export function refuse(what: string, flaw: Flaw, depth: number, size: number): Refusal {
  if (flaw.kind === "too_deep") {
    return new Refusal("too_large", `${what} and path are nested more than ${depth} levels deep`);
  }
  if (flaw.kind === "too_large") {
    return new Refusal("too_large", `${what} and those before exceed ${size} characters of JSON`);
  }
  const where = flaw.path.length === 0 ? what : `${what} at ${quote(formatPointer(flaw.path))}`;
  return new Refusal("invalid_value", `${where} ${flaw.problem}`);
}

function locate(entry: Record<string, unknown>, member: "path" | "from", limits: PatchLimits): Location {
  const pointer = own(entry, member);
  if (pointer === undefined) throw new Refusal("invalid_operation", `"${member}" is missing`);
  const tokens = readPointer(pointer, limits.depth);
  if (tokens === undefined || typeof pointer !== "string") {
    throw new Refusal("invalid_pointer", `"${member}": ${explainPointer(pointer)}`);
  }
  const depth = tokens.length;
  if (depth > limits.depth) {
    throw new Refusal("too_large", `"${member}" is more than ${limits.depth} levels deep`);
  }
  if (tokens.includes(PROTO)) {
    throw new Refusal("invalid_pointer", `"${member}" must not name "${PROTO}"`);
  }
  return { pointer, depth, key: tokens.pop(), parents: tokens };
}
