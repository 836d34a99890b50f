// How much an edit adds to a state: levels and values. What its patches put in is counted. The
// state itself is walked only when the result may be too deep.
//
//   limits.depth         levels of the place + levels of the new value
//   limits.state.nodes   values put in; where those are too many, less the values removed
//
// Invariant: an edit that makes a state neither deeper nor larger is not refused, however deep and
// large the state is. It was accepted before, perhaps under other limits.

import { type Container, isContainer } from "../../json/container.ts";
import { deeperThan } from "../../json/equal.ts";
import { parsePointer, type PatchOperation } from "../../patch/index.ts";
import type { Edited } from "../draft/draft.ts";
import type { JsonLimits } from "./limits.ts";
import type { Model } from "../model.ts";
import { rejection } from "../rejection/reject.ts";
import type { Rejection } from "../rejection/rejection.ts";

/** `{ type: "$patch", patch: [{ op, path, value }] }` */
const BUILT_IN_LEVELS = 3;

/** `{ type: "$replace", value }`: the values around the new state. */
const BUILT_IN_NODES = 2;

/**
 * The limits of a built-in, which has more around its value. How deep the state becomes, and how
 * much is added to it, is checked when it is applied.
 */
export function builtInLimits(limits: JsonLimits): JsonLimits {
  return { ...limits, depth: limits.depth + BUILT_IN_LEVELS, nodes: limits.nodes + BUILT_IN_NODES };
}

/**
 * The refusal of an edit that makes a state deeper than its limit and deeper than it was, or that
 * adds more values than a whole state may have.
 */
export function growthRejection(
  model: Model,
  type: string,
  base: object | null,
  edited: Edited,
): Rejection | undefined {
  const { depth } = model.limits;
  const { nodes } = model.limits.state;
  const large = tooLarge(edited, depth, nodes);
  if (large.adds !== undefined) return tooManyValues(type, nodes, large.adds);
  // Rare, so the whole state may be walked: it may have been as deep before.
  if (large.reaches === undefined || !deeperThan(edited.state, Math.max(depth, depthOf(base)))) return undefined;
  return rejection("too_large", type, `The result would be nested deeper than ${depth} levels.`, {
    path: large.reaches,
  });
}

/** The refusal of an edit that adds more than `most` values; `path`: where they are too many. */
export function tooManyValues(type: string, most: number, path: string): Rejection {
  return rejection("too_large", type, `It would add more than ${most} values.`, { path });
}

/** The places of the steps that add too many values, and that may reach below the deepest level. */
interface Large {
  readonly adds?: string;
  readonly reaches?: string | undefined;
}

function tooLarge(edited: Edited, depth: number, nodes: number): Large {
  const found = measure(edited, depth, nodes);
  if (found.adds === undefined) return found;
  // Rare: as many values may have been removed, as by a sort of a long list.
  const removed = new Count(Infinity);
  for (const step of edited.inverse) if ("value" in step) removed.add(step.value, Infinity);
  return measure(edited, depth, nodes + removed.values);
}

/** One walk over what was put in; it ends with the first value too many. */
function measure({ state, patches }: Edited, depth: number, nodes: number): Large {
  const count = new Count(nodes);
  let reaches: string | undefined;
  for (let index = 0; index < patches.length; index++) {
    const step = patches[index] as PatchOperation;
    if (mayReach(step, index === patches.length - 1, state, depth, count)) reaches ??= step.path;
    if (count.isOver) return { adds: step.path };
  }
  return { reaches };
}

/** Counts values, up to the first one too many. */
class Count {
  values = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get isOver(): boolean {
    return this.values > this.#most;
  }

  /** Whether containers are nested more than `levels` deep in the value. */
  add(value: unknown, levels: number): boolean {
    this.values += 1;
    return isContainer(value) && this.#container(value, levels);
  }

  #container(container: Container, levels: number): boolean {
    let deep = levels <= 0;
    const below = levels - 1;
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length && !this.isOver; index++)
        if (this.add(container[index], below)) deep = true;
      return deep;
    }
    // Plain JSON has own keys only.
    for (const key in container) {
      if (this.isOver) break;
      if (this.add(container[key], below)) deep = true;
    }
    return deep;
  }
}

/**
 * Whether a step of a patch that leads to `state` may have put something below the deepest level.
 * `isLast`: its path is a path in `state`.
 */
function mayReach(step: PatchOperation, isLast: boolean, state: object, depth: number, count: Count): boolean {
  switch (step.op) {
    case "add":
    case "replace":
      return count.add(step.value, isContainer(step.value) ? depth - levelsOf(step.path) : depth);
    case "move":
    case "copy": {
      const levels = levelsOf(step.path);
      return (
        levels > levelsOf(step.from) && (!isLast || deeperThan(valueAt(state, step.path), Math.max(0, depth - levels)))
      );
    }
    default:
      return false;
  }
}

/** A pointer has a token for each of its slashes. */
function levelsOf(pointer: string): number {
  let levels = 0;
  for (let at = pointer.indexOf("/"); at >= 0; at = pointer.indexOf("/", at + 1)) levels += 1;
  return levels;
}

function valueAt(state: object, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(
    (value, token) => (value as Readonly<Record<string, unknown>>)[token],
    state,
  );
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let deepest = 0;
  for (const child of Object.values(value)) deepest = Math.max(deepest, depthOf(child));
  return deepest + 1;
}
