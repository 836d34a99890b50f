// A replica with 1,000 pending operations, and 10,000 commits of others that arrive.

import { type Commit, createReplica, type Transport } from "@opstate/core";
import type { TransportMessage } from "@opstate/core/transport";
import { median } from "../harness/median.ts";
import { ada, renameBoard, renameOf, robot } from "../boards/rename-board.ts";

export const PENDING = 1_000;
export const INCOMING = 10_000;
const ROUNDS = 5;

/**
 * Milliseconds from the first message to the view after the last, by how many commits a message
 * brings.
 */
export async function measureRebase(perMessage: number): Promise<number> {
  const commits = makeCommits();
  const samples: number[] = [];
  for (let n = 0; n < ROUNDS; n++) samples.push(rebase(commits, perMessage));
  return median(samples);
}

function rebase(commits: readonly Commit[], perMessage: number): number {
  let receive: (message: TransportMessage) => void = () => {};
  const offline: Transport = {
    connect({ onMessage }) {
      receive = onMessage;
      return { send() {}, close() {} };
    },
  };
  const snapshot = { version: 0, state: structuredClone(renameBoard.initial) };
  const replica = createReplica({ definition: renameBoard, transport: offline, snapshot, actor: ada });
  // Their verdicts never come.
  for (let n = 0; n < PENDING; n++) replica.dispatch(renameOf(n)).catch(() => undefined);
  const start = performance.now();
  for (let at = 0; at < commits.length; at += perMessage)
    receive({ type: "commits", commits: commits.slice(at, at + perMessage) });
  const took = performance.now() - start;
  const { version, pending } = replica.sync.getState();
  if (version !== INCOMING || pending.length !== PENDING)
    throw new Error(`the replica is at ${version} with ${pending.length} pending`);
  replica.close();
  return took;
}

function makeCommits(): readonly Commit[] {
  let state = renameBoard.initial;
  return Array.from({ length: INCOMING }, (_, n) => {
    const step = renameBoard.transition(state, renameOf(n + PENDING));
    if (!step.accepted) throw new Error(step.rejection.message);
    state = step.state;
    const { operation, patches, inverse } = step;
    const at = "2026-01-01T00:00:00.000Z";
    return {
      version: n + 1,
      id: `incoming-${n}`,
      operation,
      actor: robot,
      at,
      patches,
      inverse,
      definitionVersion: 1,
    };
  });
}
