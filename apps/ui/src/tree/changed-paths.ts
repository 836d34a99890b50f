// Which places of the state an event changed, so that the tree can show it.

import { diff, formatPointer, parsePointer } from "@opstate/core/json-patch";

export interface Changes {
  /** What was added or replaced; what was removed counts as a change of what held it. */
  readonly paths: ReadonlySet<string>;
  /** All that is above one of them: shown there while it is closed. */
  readonly above: ReadonlySet<string>;
}

export const NO_CHANGES: Changes = { paths: new Set(), above: new Set() };

export function changedPaths(before: unknown, after: unknown): Changes {
  if (Object.is(before, after)) return NO_CHANGES;
  const paths = new Set<string>();
  const above = new Set<string>();
  for (const operation of diff(before, after)) {
    const tokens = parsePointer(operation.path);
    const changed = operation.op === "remove" ? tokens.slice(0, -1) : tokens;
    paths.add(formatPointer(changed));
    for (let length = 0; length < changed.length; length += 1) above.add(formatPointer(changed.slice(0, length)));
  }
  return { paths, above };
}

/** Whether a row of the tree stands for a change. */
export function isChanged({ paths, above }: Changes, path: string, open: boolean | undefined): boolean {
  return paths.has(path) || (open !== true && above.has(path));
}

/**
 * A state that was looked at, with what its last change changed; that stays marked until the next
 * one.
 */
export interface TrackedState {
  readonly state: unknown;
  readonly changes: Changes;
  /** Counts changes, so that a place that changes twice flashes twice. */
  readonly count: number;
}

export const trackFrom = (state: unknown): TrackedState => ({ state, changes: NO_CHANGES, count: 0 });

export const trackNext = (seen: TrackedState, state: unknown): TrackedState =>
  Object.is(seen.state, state) ? seen : { state, changes: changedPaths(seen.state, state), count: seen.count + 1 };
