// A carrier whose code is loaded when the first thread is followed.
//
// Invariants:
// - Until it is loaded, what is sent or shown is dropped, as when offline: a replica sends again
//   what has no verdict when its thread is online.
// - When it cannot be loaded, every thread is offline, and it is tried again, as a server that
//   cannot be reached.

import { asError } from "../as-error.ts";
import type { Carrier, CarrierConnection } from "../carrier.ts";
import { backoff } from "./http/backoff.ts";
import { Pause } from "./http/pause.ts";

/** Milliseconds between two attempts that edits cause. */
const RETRY_PACE = 1_000;

export function lateCarrier(load: () => Promise<Carrier>): Carrier {
  return {
    open(listener) {
      const early = new Set<string>();
      const pause = new Pause();
      let connection: CarrierConnection | undefined;
      let isLoading = false;
      let pausedAt = 0;

      async function begin(): Promise<void> {
        isLoading = true;
        for (let failures = 1; early.size > 0 && connection === undefined; failures++) {
          try {
            const carrier = await load();
            // All of them were left meanwhile.
            if (early.size === 0) break;
            connection = carrier.open(listener);
            for (const threadId of early) connection.follow(threadId);
          } catch (error) {
            for (const threadId of early) listener.onStatus(threadId, "offline", asError(error));
            pausedAt = performance.now();
            await pause.for(backoff(failures));
          }
        }
        isLoading = false;
      }

      return {
        follow(threadId) {
          if (connection) return connection.follow(threadId);
          early.add(threadId);
          if (!isLoading) void begin();
        },
        unfollow(threadId) {
          early.delete(threadId);
          connection?.unfollow(threadId);
        },
        send: (threadId, submission) => connection?.send(threadId, submission),
        show: (threadId, value, tab) => connection?.show(threadId, value, tab),
        retry(threadId) {
          // Frequent edits must not lead to as many attempts.
          if (threadId === undefined || performance.now() - pausedAt > RETRY_PACE) pause.end();
          connection?.retry(threadId);
        },
        close() {
          early.clear();
          pause.end();
          connection?.close();
        },
      };
    },
  };
}
