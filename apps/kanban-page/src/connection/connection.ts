// The page's connection, with a switch that cuts it to show how the page works offline.
//
// Invariant: every request of this page goes through here.

import type { Transport } from "@opstate/core";
import type { TransportConnection } from "@opstate/core/transport";
import { createStore } from "zustand/vanilla";

export type Connection = ReturnType<typeof createConnection>;

export function createConnection() {
  const store = createStore<{ readonly cut: boolean }>()(() => ({ cut: false }));
  let controller = new AbortController();
  return Object.assign(store, {
    /** Cutting also aborts requests that are under way. */
    set(cut: boolean) {
      if (cut === store.getState().cut) return;
      if (cut) controller.abort(new TypeError("The connection is cut."));
      else controller = new AbortController();
      store.setState({ cut });
    },
    async fetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
      const { signal } = controller;
      signal.throwIfAborted();
      return globalThis.fetch(input, {
        ...init,
        signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
      });
    },
  });
}

/** A transport that closes while the connection is cut, and resumes from its version afterwards. */
export function switchable(transport: Transport, connection: Connection): Transport {
  return {
    connect({ after, onMessage, onStatus }) {
      let version = after;
      let inner: TransportConnection | undefined;

      function open(): void {
        let opened = false;
        let earlyStatus: Parameters<typeof onStatus> | undefined;
        inner = transport.connect({
          after: version,
          onStatus(...status) {
            // A status may lead to sending, so it is passed on after `inner` is set.
            if (opened) onStatus(...status);
            else earlyStatus = status;
          },
          onMessage(message) {
            if (message.type === "snapshot") version = message.snapshot.version;
            if (message.type === "commits") version = message.commits.at(-1)?.version ?? version;
            onMessage(message);
          },
        });
        opened = true;
        if (earlyStatus !== undefined) onStatus(...earlyStatus);
      }

      function close(): void {
        inner?.close();
        inner = undefined;
      }

      const end = connection.subscribe(({ cut }) => {
        if (!cut) return open();
        close();
        onStatus("offline");
      });
      if (connection.getState().cut) queueMicrotask(() => onStatus("offline"));
      else open();
      return {
        send: (submission) => inner?.send(submission),
        retry: () => inner?.retry?.(),
        close() {
          end();
          close();
        },
      };
    },
  };
}
