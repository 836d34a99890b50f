// Applies a patch that an authority made: nothing is checked but that its places are there.

import { OpstateError } from "../error.ts";
import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { Patch } from "../patch/operation.ts";
import { copied } from "./identity.ts";
import { copyJsonOnPage, shareOnPage, shallow, tokensOf } from "./json.ts";

/**
 * The document after the patch, sharing what it did not change. Throws an OpstateError
 * (`corrupt_log`) when a place is not there.
 */
export function applyTrusted(document: unknown, patch: Patch): unknown {
  const own = new Set<object>();
  const root = { "": document } as Container;

  /** A container to write to. */
  const open = (holder: Container, key: PropertyKey): Container => {
    const value = holder[key];
    if (!isContainer(value) || !Object.hasOwn(holder, key)) throw fault(String(key));
    if (own.has(value)) return value;
    const copy = copied(shallow(value), value);
    own.add(copy);
    return (holder[key] = copy);
  };
  const placeOf = (path: string, isThere: boolean): readonly [Container, string] => {
    const tokens = ["", ...tokensOf(path)];
    const key = tokens.pop()!;
    const holder = tokens.reduce(open, root);
    if (isThere && !Object.hasOwn(holder, key)) throw fault(path);
    return [holder, key];
  };

  for (const step of patch) {
    const { op, path } = step;
    let value: unknown;
    if ("from" in step || op === "remove") {
      const [holder, key] = placeOf("from" in step ? step.from : path, true);
      value = holder[key];
      if (op === "copy") value = copyJsonOnPage(value);
      else if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      if (op === "remove") continue;
    } else value = copyJsonOnPage(step.value);
    const isThere = op === "replace" || op === "test";
    const [holder, key] = placeOf(path, isThere);
    if (op === "test") {
      if (!equal(holder[key], value)) throw fault(path);
    } else if (isThere) holder[key] = shareOnPage(holder[key], value);
    else if (Array.isArray(holder)) {
      const index = key === "-" ? holder.length : Number(key);
      if (!(index <= holder.length)) throw fault(path);
      holder.splice(index, 0, value);
    } else holder[key] = value;
  }
  return root[""];
}

function fault(place: string): OpstateError {
  return new OpstateError("corrupt_log", `A patch does not apply: ${place}`);
}
