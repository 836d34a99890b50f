// Whether a component renders on a server.

import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => undefined;

/**
 * Whether this render runs on a server or hydrates the HTML of one. React decides it, not the
 * globals of the runtime.
 */
export function useIsServer(): boolean {
  return useSyncExternalStore(subscribeToNothing, inBrowser, onServer);
}

function onServer(): boolean {
  return true;
}

function inBrowser(): boolean {
  return false;
}
