// A carrier whose code is loaded when the first thread is followed.

import type { Carrier, CarrierConnection } from "../carrier.ts";

/** `load` does not reject. Until it resolves, what is sent or shown is dropped, as when offline. */
export function lateCarrier(load: () => Promise<Carrier>): Carrier {
  return {
    open(listener) {
      const early = new Set<string>();
      let connection: CarrierConnection | undefined;
      let loading: Promise<void> | undefined;
      let isClosed = false;

      async function begin(): Promise<void> {
        const carrier = await load();
        if (isClosed) return;
        connection = carrier.open(listener);
        for (const threadId of early) connection.follow(threadId);
      }

      return {
        follow(threadId) {
          if (connection) return connection.follow(threadId);
          early.add(threadId);
          loading ??= begin();
        },
        unfollow(threadId) {
          early.delete(threadId);
          connection?.unfollow(threadId);
        },
        send: (threadId, submission) => connection?.send(threadId, submission),
        show: (threadId, value, tab) => connection?.show(threadId, value, tab),
        retry: (threadId) => connection?.retry(threadId),
        close() {
          isClosed = true;
          connection?.close();
        },
      };
    },
  };
}
