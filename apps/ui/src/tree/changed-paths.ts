// The places of a state that changed last, for the tree.

import { diff, formatPointer, parsePointer } from "@opstate/core/json-patch";

export interface Changes {
  /** Places that were added or replaced. For a removed place its container. */
  readonly paths: ReadonlySet<string>;
  /** Their ancestors, which are marked while they are closed. */
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

/** Whether a row of the tree is marked as changed. */
export function isChanged({ paths, above }: Changes, path: string, open: boolean | undefined): boolean {
  return paths.has(path) || (open !== true && above.has(path));
}

/** A state with the places of its last change, which stay marked until the next one. */
export interface TrackedState {
  readonly state: unknown;
  readonly changes: Changes;
  /** Counts changes, so that each change flashes. */
  readonly count: number;
}

export const trackFrom = (state: unknown): TrackedState => ({ state, changes: NO_CHANGES, count: 0 });

export const trackNext = (seen: TrackedState, state: unknown): TrackedState =>
  Object.is(seen.state, state) ? seen : { state, changes: changedPaths(seen.state, state), count: seen.count + 1 };
