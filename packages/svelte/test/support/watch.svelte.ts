// An effect outside of any component, and what it saw.

import { flushSync } from "svelte";
import { onTestFinished, vi } from "vitest";

/** Runs an effect that reads; `seen` has a value for each time that it ran. */
export function watch<Value>(read: () => Value) {
  const seen: Value[] = [];
  const end = $effect.root(() => {
    $effect(() => void seen.push(read()));
  });
  flushSync();
  onTestFinished(end);
  return { seen, end };
}

/** Each change is shown at once, as where there are no animation frames. */
export function withoutFrames(): void {
  vi.stubGlobal("requestAnimationFrame", undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
}

/** A source that counts who follows it. */
export function counted<Source extends { subscribe(listener: never): () => void }>(source: Source) {
  let followers = 0;
  const subscribe = (listener: never) => {
    const end = source.subscribe(listener);
    followers += 1;
    return () => {
      followers -= 1;
      end();
    };
  };
  return { source: { ...source, subscribe }, followers: () => followers };
}
