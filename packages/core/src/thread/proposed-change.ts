// What a proposal would change, without the derived fields, which follow; and whether that still is as it was shown.

import type { Model } from "../engine/model.ts";
import type { Rejection } from "../engine/rejection.ts";
import { run } from "../engine/run.ts";
import type { Transition } from "../engine/transition.ts";
import { parsePointer, type Patch } from "../patch/index.ts";
import { equal, isRecord, own } from "../patch/json.ts";
import { approved } from "./approval.ts";
import type { Commit } from "./commit.ts";
import type { ProposeOperation } from "./proposal-entry.ts";

type Previous = ProposeOperation["previous"];

/** The change that whoever approves it is shown, and what stands at its paths. */
export function shownChange(model: Model, state: unknown, patches: Patch): { readonly patches: Patch; readonly previous: Previous } {
  const shown = underived(model, patches);
  return { patches: shown, previous: previous(state, shown) };
}

/** A proposal tried on a state: the transition, and the paths at which it is not what was shown. */
export function tryProposal(
  model: Model,
  state: unknown,
  commit: Commit,
  proposed: ProposeOperation,
): {
  readonly next: Transition<unknown, { readonly type: string }>;
  readonly changed: readonly string[];
  readonly fault: Rejection | undefined;
} {
  const next = run(approved(model), state, proposed.operation, commit.actor);
  const changed = [
    ...proposed.previous.filter((then) => !isStill(state, then)).map(({ path }) => path),
    // The same operation may do more, or something else, than was shown.
    ...(next.accepted ? difference(proposed.patches, underived(model, next.patches)) : []),
  ];
  return { next, changed: [...new Set(changed)], fault: next.accepted ? undefined : next.rejection };
}

function underived(model: Model, patches: Patch): Patch {
  return patches.filter(({ path }) => !isDerived(model, parsePointer(path)));
}

/** What stands at the paths of a patch. */
function previous(state: unknown, patches: Patch): Previous {
  const paths = new Set(patches.flatMap((step) => (step.op === "move" ? [step.from, step.path] : [step.path])));
  return [...paths].map((path) => {
    const value = read(state, path);
    return value === undefined ? { path } : { path, value };
  });
}

/** The paths at which two patches are not the same. */
function difference(shown: Patch, now: Patch): string[] {
  const longer = shown.length > now.length ? shown : now;
  return longer.filter((_, index) => !equal(shown[index], now[index], Infinity)).map(({ path }) => path);
}

function isDerived({ derive }: Model, path: readonly string[]): boolean {
  return derive.some(({ container, field }) => {
    const rule = [...container, field];
    return rule.length === path.length && rule.every((token, index) => token === "*" || token === path[index]);
  });
}

function isStill(state: unknown, then: { readonly path: string; readonly value?: unknown }): boolean {
  const now = read(state, then.path);
  return now === undefined || then.value === undefined ? now === then.value : equal(now, then.value, Infinity);
}

function read(state: unknown, path: string): unknown {
  let value = state;
  for (const token of parsePointer(path))
    value = Array.isArray(value) ? value[Number(token)] : isRecord(value) ? own(value, token) : undefined;
  return value;
}
