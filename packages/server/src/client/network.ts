// What a browser knows about its network. Where there is no such knowledge, as in Node, nothing is ever reported.

/** Calls back when the machine goes online or offline; returns the function that ends it. */
export function watchNetwork(onChange: (online: boolean) => void): () => void {
  // The global is an event target in browsers and workers only.
  const target = globalThis as Partial<Pick<EventTarget, "addEventListener" | "removeEventListener">>;
  if (!target.addEventListener) return () => {};
  const online = () => onChange(true);
  const offline = () => onChange(false);
  target.addEventListener("online", online);
  target.addEventListener("offline", offline);
  return () => {
    target.removeEventListener?.("online", online);
    target.removeEventListener?.("offline", offline);
  };
}
