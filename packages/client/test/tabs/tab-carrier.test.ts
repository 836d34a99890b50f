// The carrier of tabs, in a browser whose messages arrive by themselves.

import { type Actor, memoryLog, openThread, type Thread } from "@opstate/core";
import { transportContract } from "@opstate/core/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Carrier, CarrierListener, CarrierMessage } from "../../src/carrier.ts";
import { SharedConnection } from "../../src/connection/shared-connection.ts";
import { threadsCarrier } from "../../src/connection/threads-carrier.ts";
import { tabCarrier } from "../../src/tabs/tab-carrier.ts";
import { Browser } from "./simulation/browser.ts";
import { Tasks } from "./simulation/tasks.ts";

const ada: Actor = { kind: "user", id: "ada" };
const url = "https://example.com";

/** Whatever is to happen in any tab happens soon. */
class Soon extends Tasks {
  override add(_tab: string, _source: string, run: () => void): void {
    setImmediate(run);
  }
}

function nobody(): CarrierListener {
  return { onMessage: () => undefined, onStatus: () => undefined, onActor: () => undefined, position: () => ({}) };
}

describe("tabs that follow another one", () => {
  const cases = transportContract({
    async open(definition) {
      const thread: Thread = await openThread({ definition, log: memoryLog(), threadId: "t" });
      const browser = new Browser(new Soon());
      let count = 0;
      const open = (actor: Actor, listener: CarrierListener) => {
        const tab = `tab ${(count += 1)}`;
        const ports = browser.portsOf(tab);
        const carrier = tabCarrier(
          threadsCarrier(() => thread, actor),
          { url, ports },
        );
        const connection = carrier.open(listener);
        connection.follow("t");
        return { tab, connection };
      };
      /** Of each actor: a tab that leads, and one that leads when that one is gone. */
      const leaders = new Map<Actor, ReturnType<typeof open>[]>();
      return {
        transport(actor) {
          const all = leaders.get(actor) ?? [open(actor, nobody()), open(actor, nobody())];
          leaders.set(actor, all);
          const ports = browser.portsOf(`tab ${(count += 1)}`);
          const carrier = tabCarrier(
            threadsCarrier(() => thread, actor),
            { url, ports },
          );
          return new SharedConnection(carrier, () => undefined).transport("t", undefined, {});
        },
        async interrupt() {
          for (const [actor, all] of leaders) {
            const leader = all.shift();
            if (leader === undefined) continue;
            leader.connection.close();
            browser.kill(leader.tab);
            all.push(open(actor, nobody()));
          }
        },
      };
    },
  });
  for (const { name, run } of cases) it(name, { timeout: 10_000 }, run);
});

describe("where tabs cannot find each other", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("leaves the carrier as it is, also in Node, which has locks and channels but no pages", () => {
    const inner: Carrier = { open: () => Promise.reject(new Error("opened")) as never };
    expect(tabCarrier(inner, { url })).toBe(inner);
  });

  it("has a connection in each tab when locks are refused", async () => {
    const thread = await openThread({
      definition: (await import("./simulation/server.ts")).tally,
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
