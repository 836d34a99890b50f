// The carrier of tabs, in a browser whose messages arrive by themselves.

import { type Actor, memoryLog, openThread, type Thread } from "@opstate/core";
import { transportContract } from "@opstate/core/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Carrier, CarrierListener, CarrierMessage } from "../../src/carrier.ts";
import { SharedConnection } from "../../src/connection/shared-connection.ts";
import { threadsCarrier } from "../../src/connection/threads-carrier.ts";
import { carrierContract } from "../carrier-contract.ts";
import { tally } from "../tally.ts";
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
  for (const { name, run } of cases) it(name, { timeout: 10_000 }, run);
});

carrierContract("a tab that another one leads", async () => {
  const log = memoryLog();
  const threads = new Map<string, Thread>();
  const create = async (threadId: string): Promise<void> => {
    threads.set(threadId, (await openThread({ definition: tally, log, threadId })) as unknown as Thread);
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

describe("where tabs cannot find each other", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("leaves the carrier as it is, also in Node, which has locks and channels but no pages", () => {
    const inner: Carrier = { open: () => Promise.reject(new Error("opened")) as never };
    expect(tabCarrier(inner, { url })).toBe(inner);
  });

  it("has a connection in each tab when locks are refused", async () => {
    const thread = await openThread({
      definition: tally,
      log: memoryLog(),
      threadId: "t",
    });
    const browser = new Browser(new Soon());
    const messages: CarrierMessage[] = [];
    const statuses: string[] = [];
    const ports = {
      ...browser.portsOf("a"),
      lock: (_: string, options: { onFailed?(): void }) => {
        setImmediate(() => options.onFailed?.());
        return () => undefined;
      },
    };
    const carrier = tabCarrier(
      threadsCarrier(() => thread, ada),
      { url, ports },
    );
    carrier
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
