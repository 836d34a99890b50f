// What a browser knows about its network. In Node nothing is ever reported.

/**
 * Calls `onChange` when the machine goes online or offline, and with true when the page becomes
 * visible. Returns the function that unsubscribes.
 */
export function watchNetwork(onChange: (online: boolean) => void): () => void {
  // The global is an event target in browsers and workers only.
  const { addEventListener, document } = globalThis as Partial<Page>;
  const ends = new AbortController();
  const listen = (type: string, listener: () => void) => addEventListener?.(type, listener, { signal: ends.signal });
  listen("online", () => onChange(true));
  listen("offline", () => onChange(false));
  listen("visibilitychange", () => {
    if (document?.visibilityState === "visible") onChange(true);
  });
  return () => ends.abort();
}

interface Page extends Pick<EventTarget, "addEventListener"> {
  readonly document: { readonly visibilityState: string };
}
