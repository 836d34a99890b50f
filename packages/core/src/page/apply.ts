// Applies a patch that an authority made: nothing is checked but that its places are there.

import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { Patch } from "../patch/operation.ts";
import { copied } from "./identity.ts";
import { copyJson, share, shallow, tokensOf } from "./json.ts";

/** The document after the patch, sharing what it did not change. Throws when a place is not there. */
export function applyTrusted(document: unknown, patch: Patch): unknown {
  const own = new Set<object>();
  const root = { "": document } as Container;

  /** A container to write to. */
  const open = (holder: Container, key: PropertyKey): Container => {
    const value = holder[key];
    if (!isContainer(value) || !Object.hasOwn(holder, key)) throw new Error("there is no container");
    if (own.has(value)) return value;
    const copy = copied(shallow(value), value);
    own.add(copy);
    return (holder[key] = copy);
  };
  const holderOf = (path: string): { readonly holder: Container; readonly key: string } => {
    const tokens = ["", ...tokensOf(path)];
    const key = tokens.pop() ?? "";
    return { holder: tokens.reduce(open, root), key };
  };
  const read = (path: string): unknown => {
    const { holder, key } = holderOf(path);
    if (!Object.hasOwn(holder, key)) throw new Error(`${path} is not there`);
    return holder[key];
  };
  const take = (path: string): unknown => {
    const value = read(path);
    const { holder, key } = holderOf(path);
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    return value;
  };
  const put = (path: string, value: unknown): void => {
    const { holder, key } = holderOf(path);
    if (!Array.isArray(holder)) holder[key] = value;
    else if (key === "-") holder.push(value);
    else if (Number(key) <= holder.length) holder.splice(Number(key), 0, value);
    else throw new Error(`${path} is not there`);
  };

  for (const step of patch) {
    if (step.op === "test") {
      if (!equal(read(step.path), step.value, Infinity)) throw new Error(`${step.path} has another value`);
    } else if (step.op === "remove") take(step.path);
    else if (step.op === "replace") {
      const before = read(step.path);
      const { holder, key } = holderOf(step.path);
      holder[key] = share(before, copyJson(step.value));
    } else if (step.op === "add") put(step.path, copyJson(step.value));
    else put(step.path, step.op === "move" ? take(step.from) : copyJson(read(step.from)));
  }
  return root[""];
}
