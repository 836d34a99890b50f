// A client notices no difference between its stream and its sockets: they keep the contracts of
// carriers and of transports through the Worker, over a network that breaks, and with objects that
// are ended.

import { Requester, SharedConnection, socketCarrier } from "@opstate/client/carriers";
import type { Actor, AnyOperation } from "@opstate/core";
import { transportContract } from "@opstate/core/testing";
import { afterAll, beforeAll, describe, it } from "vitest";
import { carrierContract, type CarrierUnderTest } from "../../../client/test/connection/carrier-contract.ts";
import { badNetwork } from "../../../server/test/support/proxy.ts";
import { credentials, type Edge, send, startEdge } from "../support/edge.ts";

const carrierTo = (url: string, actor: Actor) => socketCarrier(new Requester({ url, headers: credentials(actor) }));

async function open(interrupt: "network" | "object"): Promise<CarrierUnderTest> {
  const edge = await startEdge();
  const network = await badNetwork(edge.url);
  const create = async (threadId: string) =>
    void (await send(`${edge.url}/threads/${threadId}`, "PUT", { definition: "tally" }));
  await create("a");
  await create("b");
  return {
    carrier: (actor) => carrierTo(network.url, actor),
    submit: (threadId, operation: AnyOperation, actor) =>
      send(`${edge.url}/threads/${threadId}/operations`, "POST", operation, credentials(actor)),
    create,
    async interrupt() {
      if (interrupt === "network") network.cut();
      else for (const threadId of ["a", "b"]) await edge.end("OPSTATE_THREADS", threadId);
    },
    async forbid(isForbidden) {
      await fetch(`${edge.url}/$${isForbidden ? "forbid" : "allow"}/b`);
    },
    async dispose() {
      network.close();
      await edge.kill();
    },
  };
}

carrierContract("sockets, over a network that breaks", () => open("network"));
carrierContract("sockets, with objects that are ended", () => open("object"));

describe("the transport contract, over a socket to an object that is ended", () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge();
  });
  afterAll(() => edge.kill());
  let threads = 0;

  const cases = transportContract({
    async open(definition) {
      threads += 1;
      const threadId = `t${threads}`;
      const thread = `${edge.url}/threads/${threadId}`;
      const create = () => send(thread, "PUT", { definition: definition.name });
      await create();
      return {
        transport: (actor) =>
          new SharedConnection(carrierTo(edge.url, actor), () => undefined).transport(threadId, undefined, {}),
        interrupt: () => edge.end("OPSTATE_THREADS", threadId),
        async replace() {
          await send(thread, "DELETE");
          await create();
        },
      };
    },
  });
  it.each(cases)("$name", ({ run }) => run());
});
