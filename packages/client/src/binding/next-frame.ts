// The next animation frame; of a hidden page, which has none, the next tenth of a second.

/** Milliseconds per frame of a hidden page. */
const HIDDEN_FRAME_MS = 100;

/** Returns the function that cancels; undefined where there are no frames. */
export function inNextFrame(run: () => void): (() => void) | undefined {
  if (typeof requestAnimationFrame !== "function") return undefined;
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const once = () => {
    cancel();
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_FRAME_MS);
  return cancel;
}
