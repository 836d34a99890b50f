// The carrier of tabs, in a browser whose messages arrive by themselves.

import { type Actor, memoryLog, openThread, type Thread } from "@opstate/core";
import { transportContract } from "@opstate/core/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Carrier, CarrierListener, CarrierMessage } from "../../src/carrier.ts";
import { SharedConnection } from "../../src/connection/shared-connection.ts";
import { threadsCarrier } from "../../src/connection/threads-carrier.ts";
import { carrierContract } from "../connection/carrier-contract.ts";
import { tally } from "../tally.ts";
import type { TabPorts } from "../../src/tabs/ports.ts";
import { tabCarrier } from "../../src/tabs/tab-carrier.ts";
import { Browser } from "./simulation/browser.ts";
import { Crowd, Soon } from "./crowd.ts";

const ada: Actor = { kind: "user", id: "ada" };
const url = "https://example.com";

function nobody(): CarrierListener {
  return { onMessage: () => undefined, onStatus: () => undefined, onActor: () => undefined, position: () => ({}) };
}

describe("tabs that follow another one", () => {
  const cases = transportContract({
    async open(definition) {
      const thread: Thread = await openThread({ definition, log: memoryLog(), threadId: "t" });
      const crowd = new Crowd((actor) => threadsCarrier(() => thread, actor), "t");
      return {
        transport: (actor) => new SharedConnection(crowd.carrier(actor), () => undefined).transport("t", undefined, {}),
        interrupt: async () => crowd.endLeaders(),
        dispose: async () => crowd.close(),
      };
    },
  });
  for (const { name, run } of cases) it(name, run);
});

carrierContract("a tab that another one leads", async () => {
  const log = memoryLog();
  const threads = new Map<string, Thread>();
  const create = async (threadId: string): Promise<void> => {
    threads.set(threadId, await openThread({ definition: tally, log, threadId }));
  };
  await create("a");
  await create("b");
  const crowd = new Crowd((actor) => threadsCarrier((id) => threads.get(id), actor), "a");
  return {
    carrier: (actor) => crowd.carrier(actor),
    submit: async (threadId, operation, actor) => threads.get(threadId)?.dispatch(operation, { actor }),
    create,
    interrupt: () => crowd.endLeaders(),
    dispose: async () => crowd.close(),
  };
});

describe("what tabs show of themselves", () => {
  it("goes under the name of each tab, and ends with it", async () => {
    const shown: unknown[] = [];
    const inner: Carrier = {
      open: (listener) => ({
        follow(id) {
          listener.onActor(ada);
          listener.onMessage(id, { type: "welcome", actor: ada, incarnation: "i" });
          listener.onStatus(id, "online");
        },
        unfollow: () => undefined,
        send: () => undefined,
        show: (id, value, tab) => shown.push([id, value?.focus, tab]),
        retry: () => undefined,
        close: () => undefined,
      }),
    };
    const browser = new Browser(new Soon());
    const [first, second] = ["a", "b"].map((tab) => {
      const connection = tabCarrier(inner, { url, ports: browser.portsOf(tab) }).open(nobody());
      connection.follow("t");
      return connection;
    });
    first?.show("t", { focus: "/1" });
    await vi.waitFor(() => expect(shown).toEqual([["t", "/1", "a/1"]]));
    // The second tab's value goes to its own connection first, and then to the one that leads.
    second?.show("t", { focus: "/2" });
    await vi.waitFor(() => expect(shown.at(-1)).toEqual(["t", "/2", "b/2"]));
    await vi.waitFor(() => {
      second?.show("t", { focus: "/3" });
      expect(shown.filter((each) => String(each).includes("/3,b/2")).length).toBeGreaterThan(1);
    });
    second?.close();
    await vi.waitFor(() => expect(shown.at(-1)).toEqual(["t", undefined, "b/2"]));
  });
});

describe("that an actor may only read", () => {
  it("every tab learns it, one that comes later too, and that they may write again", async () => {
    const rights: ((readOnly: boolean) => void)[] = [];
    let isReadOnly = true;
    const inner: Carrier = {
      open: (listener) => ({
        follow(id) {
          listener.onActor(ada);
          listener.onMessage(id, { type: "welcome", actor: ada, incarnation: "i", readOnly: isReadOnly });
          listener.onMessage(id, { type: "snapshot", snapshot: { version: 0, state: {} } });
          listener.onStatus(id, "online");
          rights.push((readOnly) => listener.onMessage(id, { type: "rights", readOnly }));
        },
        unfollow: () => undefined,
        send: () => undefined,
        show: () => undefined,
        retry: () => undefined,
        close: () => undefined,
      }),
    };
    const browser = new Browser(new Soon());
    const follow = (tab: string, after?: number) => {
      const told: (boolean | undefined)[] = [];
      const connection = new SharedConnection(tabCarrier(inner, { url, ports: browser.portsOf(tab) }), () => undefined);
      connection.transport("t", after === undefined ? undefined : "i", {}).connect({
        after,
        onMessage(message) {
          if (message.type === "welcome" || message.type === "rights") told.push(message.readOnly);
        },
        onStatus: () => undefined,
      });
      return told;
    };
    const first = follow("a");
    await vi.waitFor(() => expect(first).toEqual([true]));
    for (const tell of rights) tell(false);
    await vi.waitFor(() => expect(first).toEqual([true, false]));
    for (const tell of rights) tell(true);
    const second = follow("b", 0);
    await vi.waitFor(() => expect(second).toEqual([true]));
    isReadOnly = false;
    for (const tell of rights) tell(false);
    const third = follow("c");
    await vi.waitFor(() => expect([first.at(-1), second.at(-1), third]).toEqual([false, false, [false]]));
  });
});

describe("an edit that two tabs send", () => {
  it("gives both its verdict, though it is answered once", async () => {
    const answers: (() => void)[] = [];
    const inner: Carrier = {
      open(listener) {
        return {
          follow(id) {
            listener.onActor(ada);
            listener.onMessage(id, { type: "welcome", actor: ada, incarnation: "i" });
            listener.onStatus(id, "online");
          },
          unfollow: () => undefined,
          send(id, submission) {
            const verdict = { accepted: true, version: 1 } as const;
            answers.push(() => listener.onMessage(id, { type: "verdict", id: submission.id, verdict }));
          },
          show: () => undefined,
          retry: () => undefined,
          close: () => undefined,
        };
      },
    };
    const crowd = new Crowd(() => inner, "t");
    const verdicts: string[] = [];
    const online = new Set<string>();
    for (const tab of ["one", "two"]) {
      const connection = crowd.carrier(ada).open({
        ...nobody(),
        onMessage: (_, message) => message.type === "verdict" && verdicts.push(`${tab} ${message.id}`),
        onStatus(id, status) {
          if (status !== "online") return;
          online.add(tab);
          connection.send(id, { id: "stored", operation: {} });
        },
      });
      connection.follow("t");
    }
    await vi.waitFor(() => expect(online.size).toBe(2));
    // What was sent reaches the tab that leads.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    answers.at(-1)?.();
    await vi.waitFor(() => expect(verdicts.toSorted()).toEqual(["one stored", "two stored"]));
    crowd.close();
  });
});

describe("where tabs cannot find each other", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("leaves the carrier as it is, also in Node, which has locks and channels but no pages", () => {
    const inner: Carrier = { open: () => Promise.reject(new Error("opened")) as never };
    expect(tabCarrier(inner, { url })).toBe(inner);
  });

  const refusals: Record<string, Partial<TabPorts>> = {
    locks: {
      lock(_, { onFailed }) {
        setImmediate(() => onFailed?.());
        return () => undefined;
      },
    },
    channels: {
      channel: () => {
        throw new DOMException("no origin", "SecurityError");
      },
    },
  };
  for (const [what, refusing] of Object.entries(refusals))
    it(`has a connection in each tab when ${what} are refused`, async () => {
      const thread: Thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
      const ports = { ...new Browser(new Soon()).portsOf("a"), ...refusing };
      const messages: CarrierMessage[] = [];
      const statuses: string[] = [];
      const inner = threadsCarrier(() => thread, ada);
      tabCarrier(inner, { url, ports })
        .open({
          ...nobody(),
          onMessage: (_, message) => messages.push(message),
          onStatus: (_, status) => statuses.push(status),
        })
        .follow("t");
      await vi.waitFor(() => expect(statuses.at(-1)).toBe("online"));
      expect(messages.map(({ type }) => type)).toEqual(["welcome", "snapshot"]);
    });
});

describe("threads of any name", () => {
  it("are followed and left by tabs that another one leads", async () => {
    const names = ["__proto__", "toString", "constructor", "", "\u0000", "a b"];
    const log = memoryLog();
    const threads = new Map<string, Thread>();
    for (const name of names)
      threads.set(name, await openThread({ definition: tally, log, threadId: name || "empty" }));
    const crowd = new Crowd((actor) => threadsCarrier((id) => threads.get(id), actor), "a b");
    const online = new Set<string>();
    const lost = new Set<string>();
    const connection = crowd.carrier(ada).open({
      ...nobody(),
      onStatus(id, status) {
        if (status === "online") online.add(id);
        else online.delete(id);
        if (status === "offline") lost.add(id);
      },
    });
    for (const name of names) connection.follow(name);
    await vi.waitFor(() => expect([...online].toSorted()).toEqual(names.toSorted()));
    crowd.endLeaders();
    await vi.waitFor(() => expect([...lost].toSorted()).toEqual(names.toSorted()));
    await vi.waitFor(() => expect([...online].toSorted()).toEqual(names.toSorted()));
    crowd.close();
  });
});
