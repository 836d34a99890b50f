// A replica with a transport and an authority that a test drives message by message.

import {
  type Commit,
  createReplica,
  defined,
  memoryLog,
  openThread,
  type Replica,
  type Transport,
  type AnyOperation,
} from "@opstate/core";
import type { Submission, TransportMessage, TransportStatus } from "@opstate/core/transport";
import { expect } from "vitest";
import { ada, bob, tally } from "../thread/tally.ts";

/** A replica whose transport is the test's own, and a thread that the messages are made with. */
export async function bench(options: Partial<Parameters<typeof createReplica<typeof tally>>[0]> = {}, online = true) {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  const lines: {
    after: number | undefined;
    open: boolean;
    sent: Submission[];
    message: (message: TransportMessage) => void;
    status: (status: TransportStatus) => void;
  }[] = [];
  const transport: Transport = {
    connect({ after, onMessage, onStatus }) {
      const line = { after, open: true, sent: [] as Submission[], message: onMessage, status: onStatus };
      lines.push(line);
      return { send: (submission) => line.sent.push(submission), close: () => (line.open = false) };
    },
  };
  const replica = createReplica({ definition: tally, transport, ...options });
  const line = () => lines.at(-1)!;
  const commit = async (update: AnyOperation, actor = bob, id?: string): Promise<Commit> => {
    const verdict = await thread.submit(update, { actor, ...defined({ id }) });
    return verdict.accepted ? verdict.commit! : expect.unreachable("the authority should accept");
  };
  const judge = async (submission: Submission, actor = ada) =>
    ({
      type: "verdict",
      id: submission.id,
      verdict: await thread.dispatch(submission.operation as never, { actor, id: submission.id }),
    }) as const;
  const snapshot = () =>
    ({ type: "snapshot", snapshot: { version: thread.version, state: thread.getState() } }) as const;
  if (online) {
    line().status("online");
    line().message(snapshot());
  }
  return { thread, replica, lines, line, commit, judge, snapshot };
}

export const add = (by: number) => ({ type: "add", by }) as const;
export const name = (text: string) => ({ type: "name", name: text }) as const;
export const pendingOf = (replica: Replica<typeof tally>) =>
  replica.sync.getState().pending.map(({ operation, status }) => [operation, status]);
