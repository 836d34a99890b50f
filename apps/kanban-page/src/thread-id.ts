// Which board this page shows: the demo's, or the one that the address names (`?thread=big`).

const demoThread = "demo";
export const bigThread = "big";

export function threadInAddress(): string {
  return new URLSearchParams(location.search).get("thread") || demoThread;
}

export function boardName(threadId: string): string {
  if (threadId === demoThread) return "Demo board";
  return threadId === bigThread ? "Big board" : threadId;
}
