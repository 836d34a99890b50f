// A state with the paths at which it last changed, for a tree that marks them.

import { useState } from "react";
import { type TrackedState, trackFrom, trackNext } from "../tree/changed-paths.ts";

export function useTrackedState(state: unknown): TrackedState {
  const [seen, setSeen] = useState(() => trackFrom(state));
  const next = trackNext(seen, state);
  if (next !== seen) setSeen(next);
  return next;
}
