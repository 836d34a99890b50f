// The simulation of tabs sees what it is there to see: each bug that is planted here is found.

import { describe, expect, it } from "vitest";
import type { TabPorts } from "../../src/tabs/ports.ts";
import { tabCarrier } from "../../src/tabs/tab-carrier.ts";
import { search } from "./simulation/search.ts";
import type { Parts } from "./simulation/simulate.ts";

function withPorts(change: (ports: TabPorts) => Partial<TabPorts>): Parts {
  return {
    tabCarrier(inner, options) {
      const { ports } = options;
      return tabCarrier(inner, ports === undefined ? options : { ...options, ports: { ...ports, ...change(ports) } });
    },
  };
}

const BUGS: Record<string, Parts> = {
  "all actors meet on one channel": withPorts(({ lock, channel }) => {
    const everybody = (name: string) => name.replaceAll("bob", "ada");
    return {
      lock: (name, options) => lock(everybody(name), options),
      channel: (name, onMessage) => channel(everybody(name), onMessage),
    };
  }),
  "a tab is not notified that its lock was lost": withPorts(({ lock }) => ({
    lock: (name, options) => lock(name, { ...options, onLost: () => undefined }),
  })),
  "the lock of a frozen tab is never stolen": withPorts(({ lock }) => ({
    lock: (name, options) => lock(name, { ...options, steal: false }),
  })),
  "the end of a leader is not noticed, nor its silence": withPorts(({ lock }) => ({
    lock: (name, options) =>
      options.onLost === undefined && options.onFailed === undefined ? () => undefined : lock(name, options),
    timer: () => () => undefined,
  })),
  "repeated messages are applied again": withPorts(({ channel }) => ({
    channel(name, onMessage) {
      let n = 0;
      return channel(name, (envelope) => onMessage({ ...(envelope as object), n: (n += 1) }));
    },
  })),
  "a change of leaders is not announced": {
    tabCarrier(inner, options) {
      const carrier = tabCarrier(inner, options);
      return {
        open: (listener) =>
          carrier.open({
            onActor: (actor) => listener.onActor(actor),
            onMessage: (thread, message) => listener.onMessage(thread, message),
            position: (thread) => listener.position(thread),
            onStatus(thread, status, error) {
              if (status === "online") listener.onStatus(thread, status, error);
            },
          }),
      };
    },
  },
};

describe("planted bugs", () => {
  for (const [name, parts] of Object.entries(BUGS))
    it(name, async () => {
      expect(await search(1, 2_000, parts)).toContain("Violation");
    });
});
