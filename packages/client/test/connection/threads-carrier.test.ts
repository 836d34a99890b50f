import { type Carrier, threadsCarrier } from "@opstate/client/carriers";
import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { carrierContract, type CarrierUnderTest } from "./carrier-contract.ts";
import { clientOn } from "../../src/client-on.ts";
import { lateCarrier } from "../../src/connection/late-carrier.ts";
import type { FindThread } from "../../src/connection/threads-carrier.ts";
import { threadsAuthority } from "../../src/page/threads.ts";
import { ada, add, tally, until } from "../tally.ts";

async function open(find: "at once" | "later"): Promise<CarrierUnderTest & { readonly find: FindThread }> {
  const log = memoryLog();
  const make = (threadId: string) => openThread({ definition: tally, log, threadId });
  const threads = new Map([
    ["a", await make("a")],
    ["b", await make("b")],
  ]);
  const reach: FindThread = (id) => (find === "later" ? Promise.resolve(threads.get(id)) : threads.get(id));
  return {
    find: reach,
    carrier: (actor) => threadsCarrier(reach, actor),
    submit: async (threadId, operation, actor) => threads.get(threadId)?.submit(operation, { actor }),
    create: async (threadId) => void threads.set(threadId, await make(threadId)),
  };
}

carrierContract("threads of this process", () => open("at once"));
carrierContract("threads of this process that are opened when they are asked for", () => open("later"));

carrierContract("threads of this process, in the page's build", async () => {
  const under = await open("at once");
  const threads = under.find;
  return { ...under, carrier: (actor) => threadsAuthority({ threads, actor }).carrier };
});

describe("threads of this process, in the page's build", () => {
  it("are called as in every build, also where none is followed", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    const authority = threadsAuthority({ threads: [thread], actor: ada });
    expect(authority.actor).toBe(ada);
    const access = await authority.access("t", () => ada);
    expect(await access.propose(add(2))).toMatchObject({ accepted: true });
    expect(await access.proposals()).toHaveLength(1);
    await expect(authority.access("nowhere", () => ada)).rejects.toThrow('There is no thread "nowhere" here.');
  });
});

carrierContract("threads of this process, over a carrier whose code comes late", async () => {
  const under = await open("at once");
  return {
    ...under,
    carrier: (actor) => lateCarrier(() => new Promise((resolve) => setImmediate(resolve, under.carrier(actor)))),
  };
});

describe("a carrier whose code comes late", () => {
  const listener = {
    onMessage: () => undefined,
    onStatus: () => undefined,
    onActor: () => undefined,
    position: () => ({}),
  };

  it("is loaded by the first thread, once, and follows what is followed by then", async () => {
    const followed: string[] = [];
    let loads = 0;
    const carrier = lateCarrier(async () => {
      loads += 1;
      return {
        open: () => ({
          follow: (id) => void followed.push(id),
          unfollow: () => undefined,
          send: () => undefined,
          show: () => undefined,
          retry: () => undefined,
          close: () => undefined,
        }),
      };
    });
    const connection = carrier.open(listener);
    connection.retry();
    expect(loads).toBe(0);
    for (const id of ["a", "b", "a"]) connection.follow(id);
    connection.unfollow("b");
    await until("the code", () => followed.length > 0);
    expect([loads, followed]).toEqual([1, ["a"]]);
  });

  it("is loaded again when it could not be loaded; until then its threads are offline", async () => {
    const statuses: unknown[] = [];
    const followed: string[] = [];
    let loads = 0;
    const carrier = lateCarrier(async () => {
      loads += 1;
      if (loads < 3) throw new TypeError(`no code ${loads}`);
      return {
        open: () => ({
          follow: (id) => void followed.push(id),
          unfollow: () => undefined,
          send: () => undefined,
          show: () => undefined,
          retry: () => undefined,
          close: () => undefined,
        }),
      };
    });
    const connection = carrier.open({
      ...listener,
      onStatus: (id, status, error) => void statuses.push([id, status, error?.message]),
    });
    connection.follow("a");
    await until("the first failure", () => statuses.length === 1);
    // Those of edits are paced; that of the page is at once.
    connection.retry("a");
    expect(loads).toBe(1);
    connection.retry();
    await until("the second failure", () => statuses.length === 2);
    connection.retry();
    await until("the code", () => followed.length > 0);
    expect(followed).toEqual(["a"]);
    expect(statuses).toEqual([
      ["a", "offline", "no code 1"],
      ["a", "offline", "no code 2"],
    ]);
  });

  it("is not loaded again without a follower", async () => {
    let loads = 0;
    const connection = lateCarrier(async () => {
      loads += 1;
      throw new TypeError("no code");
    }).open(listener);
    connection.follow("a");
    await until("the failure", () => loads === 1);
    connection.unfollow("a");
    connection.retry();
    await new Promise((resolve) => setImmediate(resolve));
    expect(loads).toBe(1);
    connection.follow("b");
    expect(loads).toBe(2);
    connection.close();
  });

  it("opens nothing when it is closed before", async () => {
    let isOpened = false;
    const inner: Carrier = {
      open() {
        isOpened = true;
        throw new Error("Nobody needs it.");
      },
    };
    const loaded = Promise.resolve(inner);
    const connection = lateCarrier(() => loaded).open(listener);
    connection.follow("a");
    connection.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOpened).toBe(false);
  });

  it("loses no edit that is made while it cannot be loaded", async () => {
    const { carrier } = await open("at once");
    let loads = 0;
    const late = lateCarrier(async () => {
      loads += 1;
      if (loads === 1) throw new TypeError("no code");
      return carrier(ada);
    });
    const client = clientOn(
      { carrier: late, access: () => Promise.reject(new Error("not asked for")) },
      { isLocal: true, onError: undefined },
    );
    const page = client.thread(tally, "a");
    const verdict = page.dispatch(add(3));
    expect(page.getState().count).toBe(3);
    await until("the failure", () => page.sync.getState().status === "offline");
    expect(page.sync.getState().pending).toHaveLength(1);
    client.retry();
    expect(await verdict).toMatchObject({ accepted: true, version: 1 });
    client.close();
  });
});
