// Tasks and frames of a page, for tests of the pace.

/** A task of its own, as each message of a stream is. */
export function task(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", () => resolve(), { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
}

/** Counts the frames from now on. */
export function countFrames(): () => number {
  let frames = 0;
  const count = () => {
    frames += 1;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  return () => frames;
}
