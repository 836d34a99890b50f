// Which board this page shows: the demo's, or the one in the address (`?thread=big`).

const DEMO_THREAD = "demo";
export const BIG_THREAD = "big";

export function threadInAddress(): string {
  return new URLSearchParams(location.search).get("thread") || DEMO_THREAD;
}

export function boardName(threadId: string): string {
  if (threadId === DEMO_THREAD) return "Demo board";
  if (threadId.startsWith("visit-")) return "Your board";
  return threadId === BIG_THREAD ? "Big board" : threadId;
}
