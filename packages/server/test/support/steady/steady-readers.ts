// Readers of many threads, in a process of their own. Each follows one thread, folds what it gets,
// leaves after a while at random, and comes back behind its version or anew.

import { once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import { randomOf } from "../../../../core/test/simulation/random.ts";
import { FollowedThread } from "./followed-thread.ts";
import { slowest } from "./slowest.ts";

export interface ReadersTask {
  readonly url: string;
  readonly seed: number;
  readonly threads: readonly string[];
  /** Of each thread. */
  readonly readers: number;
  /** Milliseconds that a stream is kept, at most; half of it on average. */
  readonly stay: number;
}

/** What the readers saw since the report before. */
export interface ReadersReport {
  readonly connected: number;
  readonly connections: number;
  readonly commits: number;
  /** Milliseconds from a commit's time to a reader, of 99 of 100. */
  readonly delay: number;
  readonly faults: readonly string[];
}

/** What each thread is in the end. */
export type Ends = Readonly<Record<string, { readonly version: number; readonly state: unknown }>>;

const [task] = (await once(process, "message")) as [ReadersTask];
const random = randomOf(task.seed);
const readers = task.threads.flatMap((thread) =>
  Array.from({ length: task.readers }, (_, n) => new FollowedThread(task.url, thread, `reader-${thread}-${n}`)),
);
const leaving = new AbortController();
let connections = 0;

async function comeAndGo(reader: FollowedThread): Promise<void> {
  await delay(random.below(3_000));
  while (!leaving.signal.aborted) {
    if (random.oneIn(4)) reader.forget();
    connections += 1;
    const stay = AbortSignal.any([leaving.signal, AbortSignal.timeout(1_000 + random.below(task.stay))]);
    await reader.follow(stay);
    if (!leaving.signal.aborted) await delay(random.below(1_000));
  }
}

/** Once more, until it has what the thread is in the end. */
async function arrive(reader: FollowedThread, ends: Ends): Promise<void> {
  const end = ends[reader.threadId];
  if (end === undefined) return;
  const patience = AbortSignal.timeout(30_000);
  await reader.follow(patience, end.version);
  if (reader.version !== end.version) reader.faults.push(`ends at ${reader.version}, the thread at ${end.version}`);
  else if (!isDeepStrictEqual(reader.state, end.state)) reader.faults.push("its state is not the thread's");
}

async function leave(ends: Ends): Promise<void> {
  leaving.abort();
  await staying;
  await Promise.all(readers.map((reader) => arrive(reader, ends)));
}

function report(): ReadersReport {
  const delays = readers.flatMap((reader) => reader.delays.splice(0));
  const made: ReadersReport = {
    connected: readers.filter((reader) => reader.isConnected).length,
    connections,
    commits: delays.length,
    delay: slowest(delays),
    faults: readers.flatMap((reader) => reader.faults.splice(0).map((fault) => `${reader.name}: ${fault}`)),
  };
  connections = 0;
  return made;
}

const staying = Promise.all(readers.map(comeAndGo));
process.on("message", (message: "report" | { readonly ends: Ends }) => {
  const ready = message === "report" ? Promise.resolve() : leave(message.ends);
  void ready.then(() => process.send?.(report()));
});
process.on("disconnect", () => process.exit());
