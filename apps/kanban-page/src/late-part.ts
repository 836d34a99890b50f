// A part of the page whose code is loaded when it is first shown, or once the board is there.
//
// Code that cannot be loaded is requested again until it comes: offline, a part stays away and the
// page goes on.

import { createSource, type Readable } from "@opstate/core/readable";
import type { BoardThread } from "./open-board.ts";

/** The part; undefined until its code is there. */
export interface LatePart<Part> extends Readable<Part | undefined> {
  readonly load: () => void;
}

const RETRY_MS = 2000;

export function latePart<Part>(request: () => Promise<Part>): LatePart<Part> {
  const { set, ...source } = createSource<Part | undefined>(undefined);
  let isRequested = false;

  async function attempt(): Promise<void> {
    try {
      set(await request())();
    } catch {
      setTimeout(() => void attempt(), RETRY_MS);
    }
  }

  return {
    ...source,
    load() {
      if (isRequested) return;
      isRequested = true;
      void attempt();
    },
  };
}

/** Loads what is not there yet after the first board, so that it is there when it is needed. */
export function loadAfterBoard({ ready }: Pick<BoardThread, "ready">, parts: readonly { load(): void }[]): void {
  void ready().then(
    () => parts.forEach((part) => part.load()),
    () => undefined,
  );
}

/** Attaches a part as soon as its code is there. Returns the function that detaches it. */
export function attachLate<Part>(part: LatePart<Part>, attach: (part: Part) => () => void): () => void {
  let detach: (() => void) | undefined;
  const tryIt = () => {
    const loaded = part.getState();
    if (loaded !== undefined) detach ??= attach(loaded);
  };
  const stop = part.subscribe(tryIt);
  tryIt();
  return () => {
    stop();
    detach?.();
  };
}
