// Where a component renders.

import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/**
 * Whether this is a render on a server, or the one that hydrates what a server rendered. React says
 * so, not the globals of a runtime.
 */
export function useIsServer(): boolean {
  return useSyncExternalStore(never, notThere, there);
}

function there(): boolean {
  return true;
}

function notThere(): boolean {
  return false;
}
