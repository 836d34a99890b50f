/** What a patch may not carry into a document. */
import { isRecord } from "../json/container.ts";
import { describe } from "../json/describe.ts";
import { PROTO } from "../json/reserved-keys.ts";

/** Why a value may not enter a document, and where inside the value. */
export interface Flaw {
  readonly kind: "no_json" | "too_deep" | "too_large";
  readonly problem: string;
  readonly path: (string | number)[];
}

/**
 * Looks for what keeps a value out: anything but JSON, an own key `__proto__`, more than `levels`
 * of nesting, or more characters than `budget.left`, from which the value's size is subtracted.
 * Stops at the first flaw, so a cycle ends at the depth limit and a huge value at the size limit.
 */
export function inspect(value: unknown, levels: number, budget: { left: number }): Flaw | undefined {
  switch (typeof value) {
    case "string":
      budget.left -= value.length + 2;
      break;
    case "boolean":
      budget.left -= 5;
      break;
    case "number":
      if (!Number.isFinite(value)) return flaw("no_json", `is ${value}, not a JSON number`);
      budget.left -= 8;
      break;
    case "object": {
      budget.left -= 4;
      if (value === null) break;
      if (levels === 0) return flaw("too_deep", "is nested too deep");
      if (Array.isArray(value)) {
        for (let i = 0; i < value.length; i++) {
          const found = inspect(value[i], levels - 1, budget);
          if (found) return within(i, found);
        }
        break;
      }
      if (!isRecord(value)) return flaw("no_json", `is ${describe(value)}, not JSON`);
      for (const key of Object.keys(value)) {
        if (key === PROTO) return flaw("no_json", `has a key "${PROTO}"`);
        budget.left -= key.length + 4;
        const found = inspect(value[key], levels - 1, budget);
        if (found) return within(key, found);
      }
      break;
    }
    default:
      return flaw("no_json", `is ${describe(value)}, not JSON`);
  }
  return budget.left < 0 ? flaw("too_large", "is too large") : undefined;
}

function flaw(kind: Flaw["kind"], problem: string): Flaw {
  return { kind, problem, path: [] };
}

function within(key: string | number, found: Flaw): Flaw {
  found.path.unshift(key);
  return found;
}
