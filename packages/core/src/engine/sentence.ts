// The sentence that an operation's own `describe` gives.
//
// Invariants:
// - It never throws. What `describe` throws goes to `onFailure`.
// - `describe` can write neither to the state nor to the input.
// - A sentence is one line of bounded length.

import { adopt } from "./adopt.ts";
import { report } from "./rejection/failure.ts";
import { deepFreeze } from "./freeze.ts";
import type { Model } from "./model.ts";
import type { AnyOperation } from "./operation.ts";
import { cut } from "./rejection/reject.ts";

/** UTF-16 code units. */
const MAX_SENTENCE_LENGTH = 200;
/** Of a batch, so many operations are described. */
const PARTS_LIMIT = 5;

/**
 * The author's words for an operation that is accepted on `before`. Undefined: it has the default
 * ones. Of a batch, operations without words of their own are named.
 */
export function describeOperation(model: Model, operation: AnyOperation, before: unknown): string | undefined {
  const parts = partsOf(operation);
  if (!parts.some(({ type }) => model.operations.get(type)?.describe !== undefined)) return undefined;
  const adopted = model.known.adoptState(before, (foreign) => adopt(model, foreign));
  if (!adopted.ok || adopted.state === null) return undefined;
  const { state } = adopted;
  if (operation.type !== "$batch") return oneLine(describePart(model, operation, state));
  const shown = parts.slice(0, PARTS_LIMIT).map((part) => describePart(model, part, state) ?? part.type);
  return oneLine(`${parts.length} operations at once: ${shown.join("; ")}${parts.length > PARTS_LIMIT ? "; ..." : ""}`);
}

function describePart(model: Model, { type, ...input }: AnyOperation, state: object): string | undefined {
  const describe = model.operations.get(type)?.describe;
  if (describe === undefined) return undefined;
  try {
    const text = model.frozen.compute((seen) => describe(deepFreeze(input), seen), state);
    if (text === undefined || typeof text === "string") return text;
    throw new TypeError(`The "describe" of "${type}" must return a text, or undefined for the default words.`);
  } catch (error) {
    report(model, type, error);
    return undefined;
  }
}

function partsOf(operation: AnyOperation & { readonly operations?: readonly AnyOperation[] }): readonly AnyOperation[] {
  return operation.type === "$batch" ? (operation.operations ?? []) : [operation];
}

function oneLine(text = ""): string | undefined {
  const line = text.replace(/\s+/g, " ").trim();
  return line === "" ? undefined : cut(line, MAX_SENTENCE_LENGTH);
}
