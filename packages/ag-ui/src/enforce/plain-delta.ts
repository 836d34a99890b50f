// The most frequent state deltas, which write single values, are read without the schema.

import { isRecord } from "@opstate/core/json";
import { EventType, type StateDeltaEvent } from "@ag-ui/core";

type Operation = StateDeltaEvent["delta"][number];

/**
 * The event as a detached copy. Undefined when the schema has to parse it: it has other members,
 * other operations, or objects and arrays as values.
 */
export function plainDelta(value: Record<string, unknown>): StateDeltaEvent | undefined {
  for (const key in value) if (key !== "type" && key !== "delta") return undefined;
  const given = value["delta"];
  if (!Array.isArray(given)) return undefined;
  const delta: Operation[] = [];
  for (const item of given) {
    const operation = plainOperation(item);
    if (operation === undefined) return undefined;
    delta.push(operation);
  }
  return { type: EventType.STATE_DELTA, delta };
}

function plainOperation(given: unknown): Operation | undefined {
  if (!isRecord(given)) return undefined;
  for (const key in given) if (key !== "op" && key !== "path" && key !== "value") return undefined;
  const { op, path, value } = given;
  if ((op !== "replace" && op !== "add") || typeof path !== "string" || !path.startsWith("/") || path.includes("~"))
    return undefined;
  const single = value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
  return single ? { op, path, value } : undefined;
}
