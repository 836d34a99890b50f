// The contract of transports as runnable cases: what a replica relies on between itself and its
// authority. (Long because it is a list: each case stands alone.)

import type { AnyDefinition } from "../../definition/definition.ts";
import type { Actor } from "../../engine/actor.ts";
import { createReplica } from "../../replica/create-replica.ts";
import type { Transport } from "../../replica/transport.ts";
import { type ContractCase, expectEqual, expectTrue } from "../shared/contract.ts";
import { counter } from "../shared/contract-counter.ts";
import { ConnectionProbe } from "../shared/connection-probe.ts";
import { ada, robot } from "../log-contract/samples.ts";

/** A thread of the contract's definition, and transports to it. */
export interface TransportUnderTest {
  /** A transport to the thread, for submissions of this actor. */
  transport(actor: Actor): Transport;
  /**
   * Breaks the open connections as a network does. They come back by themselves. Absent where
   * nothing can break.
   */
  interrupt?(): Promise<void>;
  /**
   * Deletes the thread and creates it again, from its initial state. Earlier transports lead to
   * the new one. Absent where it cannot happen.
   */
  replace?(): Promise<void>;
  dispose?(): Promise<void>;
}

export interface TransportContractOptions {
  /** Makes a new thread of this definition. Called once for each case. */
  open(definition: AnyDefinition): Promise<TransportUnderTest>;
}

/**
 * Returns the cases that a `Transport` must pass. Each throws when the contract is broken, so any
 * test runner fits. A case that never ends has failed too: give each a time limit.
 *
 * @example
 * ```ts
 * import { memoryLog, openThread, threadTransport } from "@opstate/core";
 * import { transportContract } from "@opstate/core/testing";
 *
 * const cases = transportContract({
 *   async open(definition) {
 *     const thread = await openThread({ definition, log: memoryLog(), threadId: "t" });
 *     return { transport: (actor) => threadTransport(thread, { actor }) };
 *   },
 * });
 * for (const { run } of cases) await run(); // or, in a test file: for (const { name, run } of cases) it(name, run)
 * ```
 */
export function transportContract({ open }: TransportContractOptions): readonly ContractCase[] {
  return Object.entries(cases).map(([name, check]) => ({
    name,
    async run() {
      const opened = await open(counter);
      const listenings: ConnectionProbe[] = [];
      const connect = (actor: Actor, after?: number) => {
        const probe = new ConnectionProbe(opened.transport(actor), after);
        listenings.push(probe);
        return probe;
      };
      try {
        await check({ ...opened, connect });
      } finally {
        for (const probe of listenings) probe.close();
        await opened.dispose?.();
      }
    },
  }));
}

interface Bench extends TransportUnderTest {
  connect(actor: Actor, after?: number): ConnectionProbe;
}

const add = (by: number) => ({ type: "add", by }) as const;

const cases: Record<string, (bench: Bench) => Promise<void>> = {
  async "begins with a snapshot of the current state"({ connect }) {
    const first = connect(ada);
    expectEqual("empty", await first.snapshot(), { version: 0, state: { count: 0, note: "" } });
    await first.online();
    first.send({ id: "1", operation: add(5) });
    await first.verdict("1");
    const second = connect(robot);
    expectEqual("later", await second.snapshot(), { version: 1, state: { count: 5, note: "" } });
  },

  async "sends each submission its verdict, and its commit to all replicas"({ connect }) {
    const [mine, other] = [connect(ada), connect(robot)];
    await Promise.all([mine.ready(), other.ready()]);
    mine.send({ id: "1", operation: add(5), runId: "run", toolCallId: "call" });
    const verdict = await mine.verdict("1");
    expectTrue("the verdict should be accepted", verdict.accepted);
    expectEqual("version", verdict.version, 1);
    for (const probe of [mine, other]) {
      const commit = await probe.commit(1);
      expectEqual(
        "commit",
        [commit.id, commit.actor, commit.operation, commit.runId, commit.toolCallId],
        ["1", ada, add(5), "run", "call"],
      );
    }
    expectEqual("others get no verdict", other.verdicts(), []);
  },

  async "sends a refusal with its reason to the sender, and to the others"({ connect }) {
    const [mine, other] = [connect(ada), connect(robot)];
    await Promise.all([mine.ready(), other.ready()]);
    mine.send({ id: "1", operation: add(101) });
    const verdict = await mine.verdict("1");
    expectTrue(
      "the verdict should be a refusal",
      !verdict.accepted && verdict.rejection.reason === "too_much" && verdict.attempt === 1,
    );
    const refusal = await other.refusal("1");
    expectEqual(
      "refusal",
      [refusal.actor, refusal.operation, refusal.rejection.details],
      [ada, add(101), { most: 100 }],
    );
  },

  async "gives one id one effect and one verdict, however often it is sent"({ connect }) {
    const mine = connect(ada);
    await mine.ready();
    for (let times = 0; times < 5; times++) mine.send({ id: "1", operation: add(1) });
    const verdicts = await mine.until("five verdicts", () =>
      mine.verdicts().length >= 5 ? mine.verdicts() : undefined,
    );
    for (const verdict of verdicts) expectEqual("verdict", [verdict.accepted, verdict.version], [true, 1]);
    mine.send({ id: "2", operation: add(1) });
    expectEqual("next", (await mine.verdict("2")).version, 2);
    const other = connect(robot);
    await other.ready();
    other.send({ id: "1", operation: add(1) });
    expectEqual("another actor's", (await other.verdict("1")).version, 3);
  },

  async "keeps the order in which submissions were sent"({ connect }) {
    const mine = connect(ada);
    await mine.ready();
    const ids = Array.from({ length: 40 }, (_, index) => `n${index}`);
    for (const id of ids) mine.send({ id, operation: add(1) });
    const verdicts = await Promise.all(ids.map((id) => mine.verdict(id)));
    expectEqual(
      "versions",
      verdicts.map(({ version }) => version),
      ids.map((_, index) => index + 1),
    );
  },

  async "sends commits to all replicas in order, without a gap"({ connect }) {
    const listenings = [connect(ada), connect(robot), connect({ kind: "user", id: "bob" })];
    await Promise.all(listenings.map((probe) => probe.ready()));
    for (let index = 0; index < 20; index++)
      for (const probe of listenings) probe.send({ id: `n${index}`, operation: add(1) });
    for (const probe of listenings) {
      await probe.commit(60);
      expectEqual(
        "versions",
        probe.versions(),
        Array.from({ length: 60 }, (_, index) => index + 1),
      );
    }
  },

  async "resumes from a version"({ connect }) {
    const first = connect(ada);
    await first.ready();
    for (let index = 1; index <= 5; index++) first.send({ id: `n${index}`, operation: add(1) });
    await first.verdict("n5");
    for (const after of [0, 3, 5]) {
      const late = connect(robot, after);
      await late.online();
      first.send({ id: `after ${after}`, operation: add(1) });
      const { version } = await first.verdict(`after ${after}`);
      await late.reached(version);
      // A snapshot instead of the commits is allowed: the log may no longer have them.
      if (late.snapshots().length === 0)
        expectEqual(
          `versions after ${after}`,
          late.versions(),
          Array.from({ length: version - after }, (_, index) => after + index + 1),
        );
    }
  },

  async "passes the expected version on"({ connect }) {
    const mine = connect(ada);
    await mine.ready();
    mine.send({ id: "1", operation: add(1), expectedVersion: 3 });
    const verdict = await mine.verdict("1");
    expectEqual("code", verdict.accepted ? "accepted" : verdict.rejection.code, "conflict");
    mine.send({ id: "2", operation: add(1), expectedVersion: 0 });
    expectEqual("held", (await mine.verdict("2")).accepted, true);
  },

  async "carries any text, and operations that are not valid"({ connect }) {
    const mine = connect(ada);
    await mine.ready();
    const texts = ["\u0000", "\u2028\n\r\n\ndata: x\n\n", "é 👩‍👩‍👧 \ud800", "x".repeat(20_000)];
    for (const [index, text] of texts.entries()) {
      mine.send({ id: `t${index}`, operation: { type: "note", text } });
      await mine.verdict(`t${index}`);
      expectTrue(
        `text ${index} changed on its way`,
        JSON.stringify((await mine.commit(index + 1)).operation) === JSON.stringify({ type: "note", text }),
      );
    }
    for (const [index, operation] of [null, 7, [], {}, { type: "nope" }, { type: "add" }].entries()) {
      mine.send({ id: `g${index}`, operation });
      expectEqual(`garbage ${index}`, (await mine.verdict(`g${index}`)).accepted, false);
    }
  },

  async "sends nothing more after it is closed"({ connect }) {
    const [mine, other] = [connect(ada), connect(robot)];
    await Promise.all([mine.ready(), other.ready()]);
    mine.close();
    const before = mine.eventCount();
    other.send({ id: "1", operation: add(1) });
    await other.verdict("1");
    await other.commit(1);
    expectEqual("messages and statuses after close", mine.eventCount(), before);
  },

  async "reconnects by itself when it breaks, and misses nothing"({ connect, interrupt }) {
    if (interrupt === undefined) return;
    const mine = connect(ada);
    await mine.ready();
    mine.send({ id: "before", operation: add(1) });
    await mine.verdict("before");
    await interrupt();
    await mine.until("a status other than online", () =>
      mine
        .statuses()
        .slice(1)
        .some((status) => status !== "online")
        ? true
        : undefined,
    );
    await mine.online();
    const other = connect(robot);
    await other.ready();
    other.send({ id: "after", operation: add(1) });
    await mine.reached((await other.verdict("after")).version);
    if (mine.snapshots().length === 1) expectEqual("versions", mine.versions(), [1, 2]);
  },

  async "reports that the thread is another one, so that a replica starts again"({ transport, connect, replace }) {
    if (replace === undefined) return;
    const before = connect(ada);
    await before.ready();
    const incarnation = await before.incarnation();
    for (let index = 1; index <= 3; index++) before.send({ id: `old ${index}`, operation: add(10) });
    const { version } = await before.verdict("old 3");
    before.close();
    await replace();
    const after = connect(robot);
    await after.ready();
    expectTrue("the incarnation should be another one", (await after.incarnation()) !== incarnation);
    const state = { count: 30, note: "" };
    const replica = createReplica({
      definition: counter,
      transport: transport(ada),
      snapshot: { version, state, incarnation },
    });
    try {
      expectTrue("it should be accepted", (await replica.dispatch(add(1))).accepted);
      expectEqual("state", replica.getState(), { count: 1, note: "" });
    } finally {
      replica.close();
    }
  },

  async "delivers each edit of a replica once, through interruptions"({ transport, interrupt }) {
    const replica = createReplica({ definition: counter, transport: transport(ada) });
    try {
      await replica.ready();
      const verdicts = [];
      for (let index = 0; index < 30; index++) {
        verdicts.push(replica.dispatch(add(1)));
        expectEqual("view", replica.getState().count, index + 1);
        if (index % 10 === 5) await interrupt?.();
      }
      expectTrue(
        "all should be accepted",
        (await Promise.all(verdicts)).every(({ accepted }) => accepted),
      );
      const check = createReplica({ definition: counter, transport: transport(robot) });
      await check.ready();
      expectEqual("state", [check.getState().count, check.sync.getState().version], [30, 30]);
      check.close();
    } finally {
      replica.close();
    }
  },
};
