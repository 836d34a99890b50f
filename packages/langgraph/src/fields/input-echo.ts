// The state that comes back as input. `createAgent` with any middleware sends the whole current
// state again with each invoke. A list that appends, or a count, would double.
//
// - Only LangGraph's start task writes a run's input. Its writes are marked there, as plain JSON,
//   which survives a checkpoint.
// - A marked write that equals the current value is an echo, and is ignored.
// - What a node writes has no mark, and never counts as an echo.

import { getConfig } from "@langchain/langgraph";
import { plainMessages } from "@opstate/core/definition";
import { diff } from "@opstate/core/json-patch";

const TYPE = "$input";

interface Input {
  readonly type: typeof TYPE;
  readonly value: unknown;
}

/** `value`, marked while a run's start task writes it. A marked value stays as it is. */
export function markInput(value: unknown): unknown {
  return value === undefined || value === null || isInput(value) || !isStarting() ? value : { type: TYPE, value };
}

/** `reduce` for updates that may be marked: it ignores echoes and removes the mark. */
export function ignoringEcho<Value>(
  reduce: (current: Value, update: unknown) => Value,
): (current: Value, update: unknown) => Value {
  return (current, update) => {
    if (!isInput(update)) return reduce(current, update);
    return isEqual(current, update.value) ? current : reduce(current, update.value);
  };
}

function isInput(value: unknown): value is Input {
  return typeof value === "object" && value !== null && "type" in value && value.type === TYPE && "value" in value;
}

function isEqual(current: unknown, value: unknown): boolean {
  try {
    return diff(plainMessages(current), plainMessages(value)).length === 0;
  } catch {
    // Not JSON: the field decides.
    return false;
  }
}

function isStarting(): boolean {
  try {
    return getConfig()?.metadata?.["langgraph_node"] === "__start__";
  } catch {
    // Outside of a run.
    return false;
  }
}
