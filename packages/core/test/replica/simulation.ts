// Two replicas and an agent on one thread, over lines that lose, repeat and reorder, with a log that fails, an authority that restarts, and a thread that is replaced.
// What must hold is checked after every step; a plan is replayed exactly, so a counterexample shrinks.

import {
  type Actor,
  type Commit,
  createReplica,
  type Log,
  memoryLog,
  openThread,
  type Replica,
  type Thread,
  type Verdict,
} from "@opstate/core";
import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { ada, bob, robot, tally } from "../thread/tally.ts";
import { Wire } from "./wire.ts";

type Edit = { readonly type: "mark" } | { readonly type: string; readonly by?: number; readonly name?: string };

export type Step =
  | { readonly do: "edit"; readonly who: number; readonly edit: Edit }
  | { readonly do: "agent"; readonly edit: Edit; readonly again: boolean }
  | { readonly do: "up" | "down"; readonly who: number; readonly at: number; readonly keep: boolean }
  | { readonly do: "lose"; readonly who: number; readonly way: "up" | "down"; readonly at: number }
  | { readonly do: "cut" | "restore"; readonly who: number }
  | { readonly do: "restart" | "replaced" }
  | { readonly do: "fail"; readonly after: boolean };

const who = fc.nat({ max: 1 });
const at = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat({ max: 5 }));
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ type: "mark" }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom("name", "unname"), name: fc.constantFrom("a", "b", "c") }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("add"), by: fc.integer({ min: 0, max: 101 }) }) },
  { weight: 1, arbitrary: fc.constantFrom({ type: "nope" }, { type: "add" }, { type: "reset" }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("edit" as const), who, edit }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("agent" as const), edit, again: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom("up" as const), who, at, keep: fc.constantFrom(false, false, false, true) }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constantFrom("down" as const), who, at, keep: fc.constantFrom(false, false, false, true) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("lose" as const), who, way: fc.constantFrom("up" as const, "down" as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("cut" as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("restore" as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("restart" as const, "restart" as const, "restart" as const, "replaced" as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fail" as const), after: fc.boolean() }) },
);
export const plan: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 40, maxLength: 120, size: "max" });

/** What a test may put in place of the real parts, to see that it is caught. */
export interface Parts {
  readonly createReplica: typeof createReplica;
  readonly log: (log: Log) => Log;
}

const realParts: Parts = { createReplica, log: (log) => log };

interface Client {
  readonly wire: Wire;
  readonly replica: Replica<typeof tally>;
  readonly actor: Actor;
  readonly edits: { readonly id: string; readonly verdict: { value: Verdict | undefined } }[];
  /** Own markers that the view has shown: nobody takes one off the list, so they stay. */
  readonly shown: Set<string>;
  /** What a listener found wrong: an error thrown there would not reach the test. */
  readonly faults: string[];
  ready: boolean;
  seen: unknown;
  version: number;
  following: string | undefined;
}

export async function simulate(steps: readonly Step[], parts: Parts = realParts): Promise<void> {
  let failing: "no" | "before" | "after" = "no";
  const store = memoryLog();
  const log = parts.log({
    ...store,
    async append(...call) {
      const fails = failing;
      failing = "no";
      if (fails === "before") throw new Error("not stored");
      const result = await store.append(...call);
      if (fails === "after") throw new Error("stored, but who knows");
      return result;
    },
  });
  const open = () => openThread({ definition: tally, log, threadId: "t", snapshotEvery: 7 });
  let thread: Thread<typeof tally> = await open();
  /** By incarnation. */
  const records = new Map([[thread.incarnation, new Record(store)]]);
  let count = 0;
  const sentByAgent: { readonly id: string; readonly operation: { readonly type: string } }[] = [];
  const clients = [ada, bob].map((actor): Client => {
    const wire = new Wire(thread, actor);
    const replica = parts.createReplica({ definition: tally, transport: wire.transport, mintId: () => `n${(count += 1)}` });
    const client: Client = {
      wire,
      replica,
      actor,
      edits: [],
      shown: new Set(),
      faults: [],
      ready: false,
      seen: replica.getState(),
      version: 0,
      following: undefined,
    };
    void replica.ready().then(
      () => (client.ready = true),
      () => undefined,
    );
    replica.subscribe((state, previous) => {
      if (previous !== client.seen) client.faults.push("a state was not told");
      if (state !== replica.getState()) client.faults.push("what is told is not what is there");
      client.seen = state;
      look(client);
    });
    return client;
  });

  const take = async (next: Step): Promise<void> => {
    const client = "who" in next ? clients[next.who] : undefined;
    switch (next.do) {
      case "edit":
        if (client === undefined) break;
        dispatch(client, next.edit);
        look(client);
        break;
      case "agent": {
        const last = sentByAgent.at(-1);
        const submission =
          next.again && last !== undefined ? last : { id: `agent ${(count += 1)}`, operation: operationOf(next.edit, `agent ${count}`) };
        sentByAgent.push(submission);
        await thread.dispatch(submission.operation, { id: submission.id, actor: robot }).catch(() => undefined);
        break;
      }
      case "up":
        await client?.wire.deliverUp(next.at, next.keep);
        break;
      case "down":
        await client?.wire.deliverDown(next.at, next.keep);
        break;
      case "lose":
        client?.wire.drop(next.way, next.at);
        break;
      case "cut":
        client?.wire.cut();
        break;
      case "restore":
        client?.wire.restore(positionOf(client));
        break;
      case "restart":
        for (const { wire } of clients) wire.cut();
        await thread.close();
        thread = await open();
        for (const { wire } of clients) wire.attach(thread);
        break;
      case "replaced":
        for (const { wire } of clients) wire.cut();
        await thread.close();
        await records.get(thread.incarnation)?.read();
        await store.delete("t");
        thread = await open();
        records.set(thread.incarnation, new Record(store));
        for (const { wire } of clients) wire.attach(thread);
        break;
      case "fail":
        failing = next.after ? "after" : "before";
        break;
    }
  };

  for (const next of steps) {
    await take(next);
    await check(clients, thread, records);
  }
  failing = "no";
  await quieten(clients, thread);
  await check(clients, thread, records);
  await checkEnd(clients, thread, records);
}

function dispatch(client: Client, next: Edit): void {
  const { replica, actor, edits } = client;
  const verdict: { value: Verdict | undefined } = { value: undefined };
  const before = new Set(replica.sync.getState().pending.map((pending) => pending.id));
  void replica.dispatch(operationOf(next, `${actor.id} ${edits.length}`)).then(
    (value) => (verdict.value = value),
    () => undefined,
  );
  edits.push({ id: replica.sync.getState().pending.find((pending) => !before.has(pending.id))?.id ?? "refused here", verdict });
}

function operationOf(next: Edit, marker: string): { readonly type: string; readonly name?: string } {
  return next.type === "mark" ? { type: "name", name: marker } : { ...next };
}

/** The version from which a transport would go on. */
function positionOf({ ready, replica }: Client): number | undefined {
  return ready ? replica.sync.getState().version : undefined;
}

/** No flicker: what a replica once showed of its own stays, as long as its thread does. */
function look(client: Client): void {
  const { replica, wire, actor, shown, faults } = client;
  if (client.following !== wire.following) {
    client.following = wire.following;
    client.version = 0;
    shown.clear();
  }
  const present = new Set(replica.getState().names);
  for (const marker of shown) if (!present.has(marker)) faults.push(`${marker} disappeared from the view`);
  for (const name of present) if (name.startsWith(`${actor.id} `)) shown.add(name);
}

/** What the log holds, with the state of each version: by the reducer, since the parts under test go by the patches. */
class Record {
  readonly commits: Commit[] = [];
  readonly states: (typeof tally.initial)[] = [tally.initial];
  readonly #store: Log;

  constructor(store: Log) {
    this.#store = store;
  }

  async read(): Promise<void> {
    for (const commit of await this.#store.read("t", { after: this.commits.length })) {
      this.commits.push(commit);
      expect(commit.version, "versions are contiguous").toBe(this.commits.length);
      this.states.push(tally.transition(this.states.at(-1), commit.operation).state);
    }
  }
}

/** Law 9: the view is the pending operations folded over the confirmed state; versions only grow. */
async function check(clients: readonly Client[], { incarnation }: Thread, records: ReadonlyMap<string, Record>): Promise<void> {
  await records.get(incarnation)?.read();
  for (const client of clients) {
    look(client);
    const { replica, actor, faults } = client;
    const { version, pending } = replica.sync.getState();
    if (faults.length > 0) expect(faults).toEqual([]);
    if (version < client.version) expect.unreachable("a version went back");
    client.version = version;
    if (!client.ready) continue;
    let view = records.get(client.following ?? "")?.states[version];
    for (const { operation } of pending) view = tally.transition(view, operation, { actor }).state;
    // The matcher is slow; it is there for its message.
    if (!isDeepStrictEqual(replica.getState(), view)) expect(replica.getState(), "the view is pending over confirmed").toEqual(view);
    if (replica.getState() !== client.seen) expect.unreachable("a change of the view was not told");
  }
}

async function quieten(clients: readonly Client[], thread: Thread<typeof tally>): Promise<void> {
  // A thread that was told a lie by its log learns of it with the next append.
  await thread.dispatch({ type: "add", by: 0 }, { actor: robot });
  for (const client of clients) {
    client.wire.cut();
    client.wire.restore(positionOf(client));
  }
  for (let round = 0; round < 2; round++) for (const { wire } of clients) await wire.drain();
}

async function checkEnd(clients: readonly Client[], thread: Thread<typeof tally>, records: ReadonlyMap<string, Record>): Promise<void> {
  const effects = new Map<string, number>();
  for (const [incarnation, record] of records)
    for (const { actor, id } of record.commits) {
      const key = `${incarnation}/${actor.id}/${id}`;
      effects.set(key, (effects.get(key) ?? 0) + 1);
    }
  const { commits, states } = records.get(thread.incarnation) ?? expect.unreachable("no record");
  expect(
    [...effects.values()].every((times) => times === 1),
    "each id has one effect",
  ).toBe(true);
  expect(states.at(-1), "the thread is where its log leads").toEqual(thread.getState());
  for (const { replica, edits, actor } of clients) {
    expect(replica.sync.getState(), "nothing is left").toMatchObject({ status: "online", version: commits.length, pending: [] });
    expect(replica.getState(), "replicas end where the thread is").toEqual(thread.getState());
    for (const { id, verdict } of edits) {
      expect(verdict.value, `the verdict on ${id} came`).toBeDefined();
      const commit = commits.find((candidate) => candidate.id === id && candidate.actor.id === actor.id);
      if (verdict.value?.accepted === false) expect(commit, `${id} was refused and has no effect`).toBeUndefined();
      if (commit !== undefined)
        expect(verdict.value, `${id} has an effect and was accepted`).toMatchObject({ accepted: true, version: commit.version });
    }
    replica.close();
  }
}
