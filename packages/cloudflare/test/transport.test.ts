// Clients notice no difference: their transport keeps its contract through the Worker, over a bad
// network, and while objects are ended.

import { type AnyDefinition } from "@opstate/core";
import { transportContract, type TransportUnderTest } from "@opstate/core/testing";
import { httpTransport } from "@opstate/server/client";
import { afterAll, describe, it } from "vitest";
import { isLong } from "../../../tools/runs.ts";
import { badNetwork } from "../../server/test/support/proxy.ts";
import { ada, credentials, send, startEdge } from "./support/edge.ts";

const edge = await startEdge();
afterAll(() => edge.kill());

let threads = 0;

async function open(definition: AnyDefinition, interrupt: "network" | "object"): Promise<TransportUnderTest> {
  threads += 1;
  const threadId = `t${threads}`;
  const create = () => send(`${edge.url}/threads/${threadId}`, "PUT", { definition: definition.name });
  await create();
  const network = await badNetwork(edge.url);
  return {
    transport: (actor) => httpTransport({ url: network.url, threadId, headers: credentials(actor) }),
    interrupt: async () => (interrupt === "network" ? network.cut() : edge.end("OPSTATE_THREADS", threadId)),
    async replace() {
      await send(`${edge.url}/threads/${threadId}`, "DELETE", undefined, ada);
      await create();
    },
    dispose: async () => network.close(),
  };
}

describe.runIf(isLong())("the transport contract, over a network that breaks", () => {
  it.each(transportContract({ open: (definition) => open(definition, "network") }))("$name", ({ run }) => run());
});

describe("the transport contract, with an object that is ended", () => {
  it.each(transportContract({ open: (definition) => open(definition, "object") }))("$name", ({ run }) => run());
});
