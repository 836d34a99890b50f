import { expect, it } from "vitest";
import type { CarrierListener } from "../../src/carrier.ts";
import type { Relayed } from "../../src/tabs/messages.ts";
import { Relay } from "../../src/tabs/relay.ts";

const ada = { kind: "user", id: "ada" } as const;

it("reports another right to the tabs that have begun, when a thread begins again for one that comes later", () => {
  let readOnly = true;
  const told: Record<string, (boolean | undefined)[]> = { a: [], b: [] };
  const relay = new Relay({
    tab: "a",
    carrier: {
      open: (listener: CarrierListener) => ({
        follow(id) {
          // It stays the same connection.
          if (told["a"]?.length === 0) listener.onActor(ada);
          listener.onMessage(id, { type: "welcome", actor: ada, incarnation: "i", ...(readOnly && { readOnly }) });
          listener.onMessage(id, { type: "snapshot", snapshot: { version: 0, state: {} } });
          listener.onStatus(id, "online");
        },
        unfollow: () => undefined,
        send: () => undefined,
        show: () => undefined,
        retry: () => undefined,
        close: () => undefined,
      }),
    },
    onActor: () => undefined,
    relay(to: Readonly<Record<string, number>>, { type, ...rest }: Relayed) {
      const { message } = rest as Extract<Relayed, { type: "message" }>;
      if (type !== "message" || (message.type !== "welcome" && message.type !== "rights")) return;
      for (const tab of Object.keys(to)) told[tab]?.push(message.readOnly);
    },
  });
  const join = (tab: string) =>
    relay.receive(tab, { type: "join", threads: { t: { turn: 1, position: {} } }, shown: {} } as never);

  join("a");
  expect(told).toEqual({ a: [true], b: [] });
  readOnly = false;
  join("b");
  expect(told).toEqual({ a: [true, false], b: [undefined] });
});
