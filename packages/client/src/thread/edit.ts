// A call that changes a thread. It counts as a pending edit: the thread is connected meanwhile.

import type { AcceptedOperationOf, AnyDefinition, Replica, Sync, Verdict } from "@opstate/core";
import type { ThreadAccess } from "../thread-access.ts";
import type { Call } from "./call.ts";

type VerdictOf<D extends AnyDefinition> = Promise<Verdict<AcceptedOperationOf<D>>>;
export type Edit<D extends AnyDefinition> = (run: (of: ThreadAccess<D>) => VerdictOf<D>) => VerdictOf<D>;

export function editOf<D extends AnyDefinition>(replica: Pick<Replica, "sync">, call: Call<D>): Edit<D> {
  return (run) => watchedUntilSeen(replica, call(run));
}

/** Keeps the replica connected until it has what the verdict says, or cannot get it now. */
async function watchedUntilSeen<V extends Verdict>(replica: Pick<Replica, "sync">, call: Promise<V>): Promise<V> {
  let version = Infinity;
  const isSeen = ({ status, version: seen }: Sync) => seen >= version || status !== "online";
  const end = replica.sync.subscribe((sync) => {
    if (version < Infinity && isSeen(sync)) end();
  });
  try {
    const verdict = await call;
    version = verdict.version;
    if (isSeen(replica.sync.getState())) end();
    return verdict;
  } catch (error) {
    end();
    throw error;
  }
}
