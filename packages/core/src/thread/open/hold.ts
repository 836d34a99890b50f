// How a holder holds an open thread: until it is released, or is dropped.
//
// A program may open a thread for each request and close none. What is dropped is released when its
// memory is collected; hosts that cannot notice keep it.
//
// Invariant: nothing here reaches `onReplaced` but weakly, unless it is kept.

import type { OpstateError } from "../../error.ts";
import type { OpenedThread } from "./opened-thread.ts";

type OnReplaced = (reason: OpstateError) => void;

export interface Hold {
  /** Resolves when nothing is under way any more, if there is no other holder. */
  release(): Promise<void>;
  /** It is held until it is released, even when it is dropped: it has listeners. */
  keep(onReplaced: OnReplaced): void;
}

const dropped =
  typeof FinalizationRegistry === "undefined"
    ? undefined
    : new FinalizationRegistry<() => Promise<void>>((release) => void release().catch(() => undefined));

/** `onReplaced` belongs to the holder: as long as anybody has the holder, it is reachable. */
export function holdThread(opened: OpenedThread, onReplaced: OnReplaced): Hold {
  const link: { readonly weak: WeakRef<OnReplaced> | undefined; kept: OnReplaced | undefined } = {
    weak: dropped && new WeakRef(onReplaced),
    kept: dropped ? undefined : onReplaced,
  };
  const release = opened.hold((reason) => (link.kept ?? link.weak?.deref())?.(reason));
  dropped?.register(onReplaced, release, link);
  return {
    release() {
      dropped?.unregister(link);
      return release();
    },
    keep(same) {
      link.kept = same;
    },
  };
}
