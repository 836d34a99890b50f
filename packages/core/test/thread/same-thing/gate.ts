// A transport to a thread that can be cut and joined again, and that outlives a restart of the
// thread.

import { type Actor, type Thread, threadTransport, type Transport } from "@opstate/core";

type ConnectOptions = Parameters<Transport["connect"]>[0];
type Connection = ReturnType<Transport["connect"]>;
type Submission = Parameters<Connection["send"]>[0];

export interface Gate {
  readonly transport: Transport;
  isOpen(): boolean;
  cut(): void;
  join(): void;
}

export function gate(thread: () => Thread, actor: Actor): Gate {
  let open = true;
  let outer: ConnectOptions | undefined;
  let inner: Connection | undefined;
  let after: number | undefined;

  /** What is sent while the connection is being made: "online" comes before `connect` returns. */
  let early: Submission[] = [];

  function link(): void {
    if (!outer || !open) return;
    const { onMessage, onStatus } = outer;
    early = [];
    inner = threadTransport(thread(), { actor }).connect({
      after,
      onMessage(message) {
        if (message.type === "snapshot") after = message.snapshot.version;
        if (message.type === "commits") after = message.commits.at(-1)?.version ?? after;
        onMessage(message);
      },
      onStatus,
    });
    for (const submission of early.splice(0)) inner.send(submission);
  }

  return {
    transport: {
      connect(options) {
        outer = options;
        after = options.after;
        if (open) link();
        else options.onStatus("offline");
        return {
          send(submission) {
            if (inner) inner.send(submission);
            else if (open) early.push(submission);
          },
          retry: () => inner?.retry?.(),
          close() {
            inner?.close();
            inner = undefined;
            outer = undefined;
          },
        };
      },
    },
    isOpen: () => open,
    cut() {
      if (!open) return;
      open = false;
      inner?.close();
      inner = undefined;
      outer?.onStatus("offline");
    },
    join() {
      if (open) return;
      open = true;
      link();
    },
  };
}
