// A state that comes back as input. `createAgent` with any middleware sends the whole present state
// again with each invoke: a list that appends, or a count, would double.
//
// Only LangGraph's start task writes a run's input, so its writes are marked there, as plain JSON
// that survives a checkpoint. To a marked write the rule "what equals the present value is the
// present value" applies; to what a node writes it does not.

import { getConfig } from "@langchain/langgraph";
import { diff } from "@opstate/core/json-patch";

const TYPE = "$input";

interface Input {
  readonly type: typeof TYPE;
  readonly value: unknown;
}

/** `value`, marked when it is being written by a run's start. Parsed again it stays as it is. */
export function markInput(value: unknown): unknown {
  return value === undefined || value === null || isInput(value) || !isStarting() ? value : { type: TYPE, value };
}

/** What a field makes of an update that may be marked. */
export function takeInput<Value>(
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

/** Nothing at all is not a value that came back: `[]` and 0 add nothing anyway. */
function isEqual(current: unknown, value: unknown): boolean {
  try {
    return diff(current, value).length === 0;
  } catch {
    // Not JSON: the field says what it makes of it.
    return false;
  }
}

function isStarting(): boolean {
  try {
    return getConfig()?.metadata?.["langgraph_node"] === "__start__";
  } catch {
    // Outside of any run.
    return false;
  }
}
