// A line in the process of a thread that goes down and comes up again.

import type { Transport } from "@opstate/core";
import type { Submission, TransportConnection } from "@opstate/core/transport";

export interface Gate {
  readonly transport: Transport;
  down(): void;
  up(): void;
}

export function gate(inner: Transport): Gate {
  type Options = Parameters<Transport["connect"]>[0];
  let options: Options | undefined;
  let line: TransportConnection | undefined;
  let after: number | undefined;
  let isUp = true;
  /** What is sent while a connection begins. */
  let early: Submission[] = [];
  const begin = (): void => {
    const now = options;
    early = [];
    line =
      now &&
      inner.connect({
        ...now,
        after,
        onMessage(message) {
          if (message.type === "snapshot") after = message.snapshot.version;
          else if (message.type === "commits") after = message.commits.at(-1)?.version ?? after;
          now.onMessage(message);
        },
      });
    for (const submission of early) line?.send(submission);
  };
  return {
    transport: {
      connect(given) {
        options = given;
        ({ after } = given);
        if (isUp) begin();
        else given.onStatus("offline");
        return {
          send(submission) {
            if (line === undefined) early.push(submission);
            else line.send(submission);
          },
          close: () => line?.close(),
        };
      },
    },
    down() {
      isUp = false;
      line?.close();
      line = undefined;
      options?.onStatus("offline");
    },
    up() {
      isUp = true;
      begin();
    },
  };
}
