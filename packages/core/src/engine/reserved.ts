// Keys that other programs take as orders, where a patch puts them together: each value that it
// carries was looked at alone.

import { isRevived, OVERWRITE, OVERWRITE_PROBLEM, REVIVED_PROBLEM } from "../json/reserved-keys.ts";
import { parsePointer, type Patch } from "../patch/index.ts";
import { checkJson, type JsonLimits } from "./limits.ts";

/**
 * `room`: how much came in was measured when it came, and a patch of the engine's may carry what
 * the state had already. Where `patches`, which led to `state`, made what `checkJson` refuses, and
 * why; undefined when they did not.
 */
export function reservedEdit(
  state: object,
  patches: Patch,
  room: JsonLimits,
): { readonly path: string; readonly message: string } | undefined {
  for (const operation of patches) {
    const { path } = operation;
    // One level down: what is not allowed at the root of a state may be in a value; unless the
    // value is the root.
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
