// What a proposal would change, without derived fields. Whether that is still as it was shown.

import { NO_LIMITS } from "../../engine/limits/no-limits.ts";
import type { Model } from "../../engine/model.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import { run } from "../../engine/run.ts";
import type { Transition } from "../../engine/transition.ts";
import { parsePointer, type Patch } from "../../patch/index.ts";
import { Steps } from "../../patch/steps.ts";
import { equal } from "../../json/equal.ts";
import { isRecord, own } from "../../json/container.ts";
import { approved } from "../authority/approval.ts";
import { originOf } from "../origin.ts";
import { labelOf } from "../things/submitted-things.ts";
import type { Commit } from "../commit.ts";
import type { ProposeOperation } from "../entries.ts";

type Previous = ProposeOperation["previous"];

/**
 * The change that an approver is shown, and what the place of each of its steps holds before it.
 */
export function shownChange(
  model: Model,
  state: unknown,
  patches: Patch,
): { readonly patches: Patch; readonly previous: Previous } {
  const shown = underived(model, patches);
  return { patches: shown, previous: places(state, shown).map(({ previous }) => previous) };
}

/**
 * A proposal run on a state: the transition, and the paths at which it is not what was shown.
 * `branch`: the incarnation of the thread, when it is a branch.
 */
export function tryProposal(
  model: Model,
  state: unknown,
  commit: Commit<ProposeOperation>,
  branch: string | undefined,
): { readonly next: Transition<unknown, AnyOperation>; readonly changed: readonly string[] } {
  const { operation: proposed, actor } = commit;
  const { source } = originOf(commit, branch);
  const next = run(approved(model), state, proposed.operation, { actor, source });
  const changed = next.accepted
    ? difference(proposed, state, underived(model, next.patches))
    : proposed.previous.filter((then) => !isSame(then, readPlace(state, then.path))).map(({ path }) => path);
  return { next, changed: [...new Set(changed)] };
}

/**
 * The paths at which the operation would now do more, less or something else than was shown. It may
 * do the same elsewhere in a list: others may have added and removed items meanwhile. Then the item
 * must be the very one that was shown.
 */
function difference({ patches, previous }: ProposeOperation, state: unknown, patchesNow: Patch): string[] {
  const now = places(state, patchesNow);
  const same = (shown: Patch[number], index: number) => {
    const [step, then, place] = [patchesNow[index], previous[index], now[index]];
    if (step === undefined || then === undefined || place === undefined || shown.op !== step.op) return false;
    if (!isSame(then, place.previous) || !equal(valueOf(shown), valueOf(step), Infinity)) return false;
    if (shown.path === step.path && then.path === place.previous.path) return true;
    if (!isElsewhere(then.path, place) || !isElsewhere(shown.path, { ...place, tokens: parsePointer(step.path) }))
      return false;
    return step.op === "add" || "element" in then
      ? equal(then.element, place.previous.element, Infinity)
      : "value" in then;
  };
  return [
    ...patches.filter((shown, index) => !same(shown, index)).map(({ path }) => path),
    ...patchesNow.slice(patches.length).map(({ path }) => path),
  ];
}

interface Place {
  readonly previous: Previous[number];
  readonly tokens: readonly string[];
  /** Which token is an index of the innermost list on the way; -1 when there is none. */
  readonly index: number;
}

/** Places as a person knows them: by the title of what they are in, where it has one. */
export function placesInWords(state: unknown, paths: readonly string[]): string {
  const shown = paths.slice(0, 5).map((path) => {
    const tokens = parsePointer(path);
    const labels = tokens.map((_, index) => labelOf(read(state, tokens.slice(0, index + 1))));
    const label = labels.findLast((text) => text !== undefined);
    return label === undefined ? path || "the whole state" : `${label} (${path})`;
  });
  return shown.join(", ");
}

/** What the place of each step holds before it. The patch is what an operation did to the state. */
function places(state: unknown, patches: Patch): readonly Place[] {
  const steps = new Steps(state, NO_LIMITS);
  return patches.map((step) => {
    const path = step.op === "move" || step.op === "copy" ? step.from : step.path;
    const previous = readPlace(steps.document, path, step.op === "add");
    const tokens = parsePointer(path);
    const place = { previous, tokens, index: listIndex(steps.document, tokens) };
    steps.keep(previous.value);
    steps.keep(previous.element);
    steps.take(step);
    return place;
  });
}

/**
 * `element` is the list's item that the path leads into, when it leads into one. Items that an
 * added one moves to a higher index are not changed.
 */
function readPlace(state: unknown, path: string, isAdded = false): Previous[number] {
  const tokens = parsePointer(path);
  const index = listIndex(state, tokens);
  const inside = index >= 0 && index < tokens.length - 1;
  const value = isAdded && index === tokens.length - 1 && index >= 0 ? undefined : read(state, tokens);
  return {
    path,
    ...(value === undefined ? {} : { value }),
    ...(inside ? { element: read(state, tokens.slice(0, index + 1)) } : {}),
  };
}

function listIndex(state: unknown, tokens: readonly string[]): number {
  return tokens.findLastIndex((_, index) => Array.isArray(read(state, tokens.slice(0, index))));
}

/** The same place but for the index in the innermost list. */
function isElsewhere(path: string, { tokens, index }: Place): boolean {
  const then = parsePointer(path);
  return then.length === tokens.length && then.every((token, at) => at === index || token === tokens[at]);
}

function isSame(then: Previous[number], now: Previous[number]): boolean {
  return now.value === undefined || then.value === undefined
    ? now.value === then.value
    : equal(now.value, then.value, Infinity);
}

function valueOf(step: Patch[number]): unknown {
  return "value" in step ? step.value : undefined;
}

function underived(model: Model, patches: Patch): Patch {
  return patches.filter(({ path }) => !isDerived(model, parsePointer(path)));
}

function isDerived({ derive }: Model, path: readonly string[]): boolean {
  return derive.some(({ container, field }) => {
    const rule = [...container, field];
    return rule.length === path.length && rule.every((token, index) => token === "*" || token === path[index]);
  });
}

function read(state: unknown, tokens: readonly string[]): unknown {
  let value = state;
  for (const token of tokens)
    value = Array.isArray(value) ? value[Number(token)] : isRecord(value) ? own(value, token) : undefined;
  return value;
}
