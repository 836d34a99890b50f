// Applies a patch that an authority made: nothing is checked but that its places are there.

import { OpstateError } from "../error.ts";
import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { Patch } from "../patch/operation.ts";
import { copied } from "./identity.ts";
import { copyJson, share, shallow, tokensOf } from "./json.ts";

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
  const holderOf = (path: string, isThere: boolean): readonly [Container, string] => {
    const tokens = ["", ...tokensOf(path)];
    const key = tokens.pop()!;
    const holder = tokens.reduce(open, root);
    if (isThere && !Object.hasOwn(holder, key)) throw fault(path);
    return [holder, key];
  };
  const read = (path: string): unknown => {
    const [holder, key] = holderOf(path, true);
    return holder[key];
  };
  const take = (path: string): unknown => {
    const [holder, key] = holderOf(path, true);
    const value = holder[key];
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    return value;
  };
  const put = (path: string, value: unknown): void => {
    const [holder, key] = holderOf(path, false);
    if (!Array.isArray(holder)) holder[key] = value;
    else {
      const index = key === "-" ? holder.length : Number(key);
      if (!(index <= holder.length)) throw fault(path);
      holder.splice(index, 0, value);
    }
  };

  for (const step of patch) {
    if (step.op === "test") {
      if (!equal(read(step.path), step.value)) throw fault(step.path);
    } else if (step.op === "remove") take(step.path);
    else if (step.op === "replace") {
      const [holder, key] = holderOf(step.path, true);
      holder[key] = share(holder[key], copyJson(step.value));
    } else if (step.op === "add") put(step.path, copyJson(step.value));
    else put(step.path, step.op === "move" ? take(step.from) : copyJson(read(step.from)));
  }
  return root[""];
}

function fault(place: string): OpstateError {
  return new OpstateError("corrupt_log", `A patch does not apply: ${place}`);
}
