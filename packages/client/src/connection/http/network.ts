// What a browser knows about its network. In Node nothing is ever reported.

/**
 * Calls `onChange` when the machine goes online or offline, and with true when the page becomes
 * visible. Returns the function that unsubscribes.
 */
export function watchNetwork(onChange: (online: boolean) => void): () => void {
  // The global is an event target in browsers and workers only.
  const target = globalThis as Partial<Pick<EventTarget, "addEventListener" | "removeEventListener">>;
  if (!target.addEventListener) return () => {};
  const online = () => onChange(true);
  const offline = () => onChange(false);
  const shown = () => {
    if ((globalThis as { document?: { visibilityState?: string } }).document?.visibilityState === "visible")
      onChange(true);
  };
  target.addEventListener("online", online);
  target.addEventListener("offline", offline);
  target.addEventListener("visibilitychange", shown);
  return () => {
    target.removeEventListener?.("online", online);
    target.removeEventListener?.("offline", offline);
    target.removeEventListener?.("visibilitychange", shown);
  };
}
