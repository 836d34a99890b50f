// What every carrier keeps. Each carrier's test runs these cases. (Long because it is a list: each
// case stands alone.)

import type { Carrier, CarrierConnection, CarrierMessage, ThreadPosition } from "@opstate/client/carriers";
import { type Actor, type AnyOperation, defined } from "@opstate/core";
import type { Submission, TransportStatus } from "@opstate/core/transport";
import { afterEach, describe, expect, it } from "vitest";
import { ada, add, robot, until } from "../tally.ts";

/** Threads "a" and "b" of the definition `tally`, and carriers to them. */
export interface CarrierUnderTest {
  carrier(actor: Actor): Carrier;
  /** Submits to a thread beside the carrier. */
  submit(threadId: string, operation: AnyOperation, actor: Actor): Promise<unknown>;
  /** Makes a thread that was not there. */
  create(threadId: string): Promise<void>;
  /** Breaks the open connections, as a network does. Absent where nothing can break. */
  interrupt?(): void | Promise<void>;
  /** Takes the right to read "b", and gives it again. Absent where there are no rights. */
  forbid?(isForbidden: boolean): void | Promise<void>;
  dispose?(): Promise<void>;
}

type Entry =
  | { readonly threadId: string; readonly message: CarrierMessage }
  | { readonly threadId: string; readonly status: TransportStatus; readonly error: Error | undefined };

/**
 * A carrier's listener that writes down what it hears, and knows its positions as a client does.
 */
class Probe {
  readonly entries: Entry[] = [];
  readonly actors: Actor[] = [];
  readonly connection: CarrierConnection;
  readonly #positions = new Map<string, ThreadPosition>();

  constructor(carrier: Carrier) {
    this.connection = carrier.open({
      onMessage: (threadId, message) => {
        this.entries.push({ threadId, message });
        const before = this.#positions.get(threadId) ?? {};
        if (message.type === "welcome")
          this.#positions.set(threadId, { ...before, ...defined({ incarnation: message.incarnation }) });
        if (message.type === "snapshot") this.#positions.set(threadId, { ...before, after: message.snapshot.version });
        if (message.type === "commits")
          this.#positions.set(threadId, { ...before, after: message.commits.at(-1)!.version });
      },
      onStatus: (threadId, status, error) => this.entries.push({ threadId, status, error }),
      onActor: (actor) => this.actors.push(actor),
      position: (threadId) => this.#positions.get(threadId) ?? {},
    });
  }

  follow(...threadIds: readonly string[]): void {
    for (const threadId of threadIds) this.connection.follow(threadId);
  }

  forget(threadId: string): void {
    this.#positions.delete(threadId);
  }

  send(threadId: string, id: string, operation: unknown = add(1), rest: Partial<Submission> = {}): void {
    this.connection.send(threadId, { id, operation, ...rest });
  }

  of(threadId: string): readonly Entry[] {
    return this.entries.filter((entry) => entry.threadId === threadId);
  }

  messages<T extends CarrierMessage["type"]>(
    threadId: string,
    type: T,
  ): readonly Extract<CarrierMessage, { type: T }>[] {
    return this.of(threadId).flatMap((entry) =>
      "message" in entry && entry.message.type === type ? [entry.message as Extract<CarrierMessage, { type: T }>] : [],
    );
  }

  statuses(threadId: string): readonly TransportStatus[] {
    return this.of(threadId).flatMap((entry) => ("status" in entry ? [entry.status] : []));
  }

  error(threadId: string): Error | undefined {
    return this.of(threadId).findLast((entry) => "status" in entry)?.error;
  }

  versions(threadId: string): readonly number[] {
    return this.messages(threadId, "commits").flatMap(({ commits }) => commits.map(({ version }) => version));
  }

  verdict(threadId: string, id: string) {
    return this.messages(threadId, "verdict").find((message) => message.id === id)?.verdict;
  }

  /** With a state, which may come a moment after the status. */
  async online(...threadIds: readonly string[]): Promise<void> {
    for (const threadId of threadIds) {
      await until(`"${threadId}" is online`, () => this.statuses(threadId).at(-1) === "online");
      await until(`"${threadId}" has a state`, () => this.#positions.get(threadId)?.after !== undefined);
    }
  }

  async status(threadId: string, status: TransportStatus): Promise<void> {
    await until(`"${threadId}" is ${status}`, () => this.statuses(threadId).at(-1) === status);
  }

  async decided(threadId: string, id: string) {
    await until(`the verdict of ${id}`, () => this.verdict(threadId, id) !== undefined);
    return this.verdict(threadId, id)!;
  }
}

export function carrierContract(name: string, open: () => Promise<CarrierUnderTest>): void {
  describe(`the contract of carriers: ${name}`, () => {
    const ends: (() => Promise<void> | void)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).toReversed()) await end();
    });

    async function bench() {
      const under = await open();
      if (under.dispose) ends.push(() => under.dispose?.());
      const probe = (actor = ada): Probe => {
        const made = new Probe(under.carrier(actor));
        ends.push(() => made.connection.close());
        return made;
      };
      return { ...under, probe };
    }

    it("begins a thread with who is connected, and its state", async () => {
      const { probe, submit } = await bench();
      await submit("a", add(5), robot);
      const mine = probe();
      mine.follow("a");
      await mine.online("a");
      expect(mine.actors[0]).toEqual(ada);
      const [first, second] = mine.of("a").filter((entry) => "message" in entry);
      expect(first).toMatchObject({ message: { type: "welcome", actor: ada, incarnation: expect.any(String) } });
      expect(second).toMatchObject({ message: { type: "snapshot", snapshot: { version: 1, state: { count: 5 } } } });
    });

    it("is online only after the first message of the thread", async () => {
      const { probe } = await bench();
      const mine = probe();
      mine.follow("a");
      await mine.online("a");
      const entries = mine.of("a");
      const online = entries.findIndex((entry) => "status" in entry && entry.status === "online");
      expect(entries.slice(0, online).some((entry) => "message" in entry)).toBe(true);
    });

    it("sends each thread's messages to that thread", async () => {
      const { probe, submit } = await bench();
      const mine = probe();
      mine.follow("a", "b");
      await mine.online("a", "b");
      await submit("b", add(7), robot);
      await until("the commit of b", () => mine.versions("b").length === 1);
      expect(mine.versions("a")).toEqual([]);
      expect(mine.messages("b", "commits")[0]?.commits[0]).toMatchObject({ version: 1, actor: robot });
    });

    it("gives submissions their verdicts, in the order in which they were sent", async () => {
      const { probe } = await bench();
      const mine = probe();
      mine.follow("a", "b");
      await mine.online("a", "b");
      for (let index = 0; index < 130; index++) mine.send(index % 3 === 0 ? "b" : "a", `n${index}`);
      await Promise.all([mine.decided("a", "n128"), mine.decided("b", "n129")]);
      for (const threadId of ["a", "b"]) {
        const verdicts = mine.messages(threadId, "verdict");
        expect(verdicts.map(({ verdict }) => verdict.version)).toEqual(verdicts.map((_, index) => index + 1));
        expect(verdicts.every(({ verdict }) => verdict.accepted)).toBe(true);
      }
    });

    it("gives a refusal as a verdict, with its words", async () => {
      const { probe } = await bench();
      const mine = probe();
      mine.follow("a");
      await mine.online("a");
      mine.send("a", "x", add(101));
      expect(await mine.decided("a", "x")).toMatchObject({ accepted: false, rejection: { reason: "too_much" } });
      mine.send("a", "y", { type: "nope" });
      expect(await mine.decided("a", "y")).toMatchObject({ rejection: { code: "unknown_operation" } });
    });

    it("gives one id one effect, however often it is sent", async () => {
      const { probe } = await bench();
      const mine = probe();
      mine.follow("a");
      await mine.online("a");
      for (let times = 0; times < 4; times++) mine.send("a", "same");
      mine.send("a", "next");
      expect((await mine.decided("a", "next")).version).toBe(2);
    });

    it("passes on what a submission is sent with", async () => {
      const { probe } = await bench();
      const mine = probe();
      mine.follow("a");
      await mine.online("a");
      mine.send("a", "x", add(1), { expectedVersion: 4 });
      expect(await mine.decided("a", "x")).toMatchObject({ accepted: false, rejection: { code: "conflict" } });
      mine.send("a", "y", add(1), { runId: "run", toolCallId: "call" });
      expect(await mine.decided("a", "y")).toMatchObject({ commit: { runId: "run", toolCallId: "call" } });
    });

    it("follows another thread while others go on", async () => {
      const { probe, submit } = await bench();
      const mine = probe();
      mine.follow("a");
      await mine.online("a");
      mine.follow("b");
      await mine.online("b");
      expect(mine.statuses("a").filter((status) => status === "online")).toHaveLength(1);
      await submit("a", add(1), robot);
      await submit("b", add(1), robot);
      await until("both commits", () => mine.versions("a").length === 1 && mine.versions("b").length === 1);
      expect(mine.messages("a", "snapshot")).toHaveLength(1);
    });

    it("says nothing of a thread that is no longer followed", async () => {
      const { probe, submit } = await bench();
      const mine = probe();
      mine.follow("a", "b");
      await mine.online("a", "b");
      mine.connection.unfollow("b");
      const before = mine.of("b").length;
      await submit("b", add(1), robot);
      await submit("a", add(1), robot);
      await until("the commit of a", () => mine.versions("a").length === 1);
      expect(mine.of("b")).toHaveLength(before);
    });

    it("follows again from where it was", async () => {
      const { probe, submit } = await bench();
      const mine = probe();
      mine.follow("a", "b");
      await mine.online("a", "b");
      mine.connection.unfollow("a");
      for (let count = 0; count < 3; count++) await submit("a", add(1), robot);
      mine.follow("a");
      await until("the commits", () => mine.versions("a").length === 3);
      expect(mine.versions("a")).toEqual([1, 2, 3]);
      expect(mine.messages("a", "snapshot")).toHaveLength(1);
    });

    it("begins a followed thread again, from a snapshot where nothing is known of it", async () => {
      const { probe, submit } = await bench();
      const mine = probe();
      mine.follow("a");
      await mine.online("a");
      await submit("a", add(3), robot);
      await until("the commit", () => mine.versions("a").length === 1);
      mine.forget("a");
      mine.follow("a");
      await until("another snapshot", () => mine.messages("a", "snapshot").length === 2);
      await mine.online("a");
      expect(mine.messages("a", "snapshot")[1]?.snapshot).toMatchObject({ version: 1, state: { count: 3 } });
    });

    it("reports a thread that is not there alone, and follows it on a retry", async () => {
      const { probe, create } = await bench();
      const mine = probe();
      mine.follow("a", "later");
      await mine.online("a");
      await mine.status("later", "not_found");
      expect(mine.error("later")).toBeInstanceOf(Error);
      expect(mine.statuses("a").at(-1)).toBe("online");
      await create("later");
      mine.connection.retry("later");
      await mine.online("later");
      expect(mine.statuses("a").filter((status) => status === "online")).toHaveLength(1);
    });

    it("reports a thread that may not be read alone, and does not retry by itself", async () => {
      const { probe, forbid, submit } = await bench();
      if (forbid === undefined) return;
      await forbid(true);
      const mine = probe();
      mine.follow("a", "b");
      await mine.online("a");
      await mine.status("b", "forbidden");
      expect(mine.error("b")).toMatchObject({ status: 403 });
      await forbid(false);
      await submit("a", add(1), robot);
      await until("the commit of a", () => mine.versions("a").length === 1);
      expect(mine.statuses("b").at(-1)).toBe("forbidden");
      mine.connection.retry("b");
      await mine.online("b");
    });

    it("comes back by itself when it breaks, and misses nothing of any thread", async () => {
      const { probe, interrupt, submit } = await bench();
      if (interrupt === undefined) return;
      const mine = probe();
      mine.follow("a", "b");
      await mine.online("a", "b");
      await interrupt();
      await until("the loss", () => mine.statuses("a").includes("offline") && mine.statuses("b").includes("offline"));
      for (const threadId of ["a", "b", "a"]) await submit(threadId, add(1), robot);
      await until("the missed commits", () => mine.versions("a").length === 2 && mine.versions("b").length === 1);
      await mine.online("a", "b");
      expect(mine.messages("a", "snapshot")).toHaveLength(1);
      mine.send("a", "after");
      expect((await mine.decided("a", "after")).version).toBe(3);
    });

    it("says nothing more after it is closed", async () => {
      const { probe, submit } = await bench();
      const [mine, other] = [probe(), probe(robot)];
      mine.follow("a");
      other.follow("a");
      await mine.online("a");
      await other.online("a");
      mine.connection.close();
      const before = mine.entries.length;
      await submit("a", add(1), robot);
      await until("the other's commit", () => other.versions("a").length === 1);
      mine.follow("b");
      mine.send("a", "late");
      expect(mine.entries).toHaveLength(before);
    });
  });
}
