// Reserved keys that a patch puts together. Each value of a patch was checked alone: only the
// result shows an `lc` beside a `type`.

import { isRevived, OVERWRITE, OVERWRITE_PROBLEM, REVIVED_PROBLEM } from "../../json/reserved-keys.ts";
import { parsePointer, type Patch } from "../../patch/index.ts";
import { checkJson, type JsonLimits } from "./limits.ts";

/**
 * The first reserved key that `patches`, which led to `state`, put into it; undefined when there is
 * none. `room` are generous limits: sizes were checked when the patch came in.
 */
export function reservedEdit(
  state: object,
  patches: Patch,
  room: JsonLimits,
): { readonly path: string; readonly message: string } | undefined {
  for (const operation of patches) {
    const { path } = operation;
    // In an array, one level down: `__overwrite__` is refused at the root only. A value at "" is
    // the root itself.
    const isRoot = path === "";
    const fault = "value" in operation ? checkJson(isRoot ? operation.value : [operation.value], room) : undefined;
    if (fault !== undefined)
      return { path, message: isRoot ? fault.message : `${path}${fault.message.slice("/0".length)}` };
    const tokens = parsePointer(path);
    const key = tokens.at(-1);
    if (key === OVERWRITE && tokens.length === 1) return { path, message: `${path} ${OVERWRITE_PROBLEM}` };
    if (key !== "lc" && key !== "type") continue;
    const holder = tokens
      .slice(0, -1)
      .reduce<unknown>((value, token) => (value as Record<string, unknown>)[token], state);
    const { lc, type } = holder as Record<string, unknown>;
    if (isRevived(lc, type)) return { path, message: `${path.slice(0, -key.length)}lc ${REVIVED_PROBLEM}` };
  }
  return undefined;
}
