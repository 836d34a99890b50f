// Makes rejections: plain JSON, at most 2 KB, worded so that a person and a model can act on them.

import { cut } from "../../json/describe.ts";
import type { JsonFault, JsonLimits } from "../limits/limits.ts";
import { copyJson } from "../limits/limits.ts";
import type { Described } from "../validation/issues.ts";
import type { Rejection, RejectionCode } from "./rejection.ts";

export { cut };

const MESSAGE_LIMIT = 500;
const DETAILS_LIMIT: JsonLimits = { depth: 6, nodes: 200, bytes: 1000 };

export interface RejectionParts {
  readonly reason?: string;
  readonly path?: string | undefined;
  readonly issues?: Rejection["issues"];
  readonly details?: unknown;
  /** How large the details may be; default 1,000. */
  readonly detailsBytes?: number;
}

/** A rejection of an update of this `type`. */
export function rejection(code: RejectionCode, type: string, message: string, parts: RejectionParts = {}): Rejection {
  const { reason, path, issues, details, detailsBytes = DETAILS_LIMIT.bytes } = parts;
  const made: Rejection = {
    code,
    ...(reason === undefined ? {} : { reason: cut(reason, 100) }),
    message: cut(message, MESSAGE_LIMIT),
    ...(path === undefined ? {} : { path: cut(path, 200) }),
    ...(issues === undefined ? {} : { issues }),
    ...(details === undefined ? {} : { details: capDetails(details, { ...DETAILS_LIMIT, bytes: detailsBytes }) }),
    operation: { type: cut(type, 100) },
  };
  return Object.freeze(made);
}

/** The issues of a schema as a rejection. */
export function issuesRejection(
  code: "invalid_operation" | "invalid_state",
  type: string,
  found: Described,
): Rejection {
  return rejection(code, type, found.message, found);
}

/** A value that is not JSON, or too large, as a rejection. */
export function faultRejection(type: string, fault: JsonFault): Rejection {
  return rejection(fault.code === "too_large" ? "too_large" : "invalid_operation", type, fault.message, {
    path: fault.path,
  });
}

/**
 * Details come from the application's code: copied at once, shortened when large, left out when
 * they are not JSON.
 */
function capDetails(details: unknown, limits: JsonLimits): unknown {
  const whole = copyJson(details, limits);
  if (whole.ok) return whole.value;
  if (typeof details !== "object" || details === null || whole.fault.code !== "too_large")
    return `(left out: ${whole.fault.message})`;
  return shorten(details, limits);
}

function shorten(details: object, limits: JsonLimits): unknown {
  const kept: Record<string, unknown> = {};
  let left = limits.bytes;
  for (const [key, value] of Object.entries(details).slice(0, 20)) {
    const items = Array.isArray(value) ? value.slice(0, 20) : value;
    const copy = copyJson(items, { ...limits, bytes: Math.floor(left / 2) });
    if (!copy.ok) continue;
    kept[key] = copy.value;
    if (Array.isArray(value) && value.length > 20) kept[`${key}Total`] = value.length;
    left -= JSON.stringify(copy.value ?? null).length + key.length;
    if (left < 50) break;
  }
  return kept;
}
