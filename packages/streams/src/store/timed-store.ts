// A store whose calls end in time, whatever the storage does.
//
// Invariant: a call that brings an earlier deadline keeps it, and its signal.

import { type CallOptions, withinCall } from "@opstate/core/log";
import type { StreamStore } from "./store.ts";

/** `timeout`: milliseconds for each call; Infinity: as long as the store itself takes. */
export function timedStore(store: StreamStore, timeout: number): StreamStore {
  function timed<T>(given: CallOptions = {}, run: (call: CallOptions) => Promise<T>): Promise<T> {
    const call = { ...given, deadline: Math.min(given.deadline ?? Infinity, Date.now() + timeout) };
    return withinCall(call, () => run(call));
  }

  return {
    create: (id, stream, options) => timed(options, (call) => store.create(id, stream, call)),
    info: (id, options) => timed(options, (call) => store.info(id, call)),
    append: (id, append, options) => timed(options, (call) => store.append(id, append, call)),
    read: (id, range, options) => timed(options, (call) => store.read(id, range, call)),
    delete: (id, options) => timed(options, (call) => store.delete(id, call)),
    watch: (id, onChange) => store.watch(id, onChange),
    close: () => store.close(),
  };
}
