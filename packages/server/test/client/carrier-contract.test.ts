// The carriers over HTTP keep the contract of carriers, with a real server.

import { httpCarrier, Requester } from "@opstate/client/carriers";
import { type Actor, type AnyOperation, memoryLog } from "@opstate/core";
import { carrierContract, type CarrierUnderTest } from "../../../client/test/connection/carrier-contract.ts";
import { tally } from "../../../client/test/tally.ts";
import { cutLine } from "../support/cut-line.ts";
import { createServer } from "../../src/index.ts";

const headersOf = ({ kind, id }: Actor) => ({ authorization: `${kind} ${id}` });

/** A server that is called without a network: what breaks is the requests under way. */
async function open(polling: boolean): Promise<CarrierUnderTest> {
  let isForbidden = false;
  const server = createServer({
    definitions: [tally],
    log: memoryLog(),
    authorize(request) {
      const [kind = "", id = ""] = (request.headers.get("authorization") ?? "").split(" ");
      return { actor: { kind, id }, allows: (threadId) => !(isForbidden && threadId === "b") };
    },
  });
  const line = cutLine((request) => server.fetch(request));
  const send = (path: string, method: string, body: object, actor: Actor) =>
    server.fetch(
      new Request(`http://server${path}`, {
        method,
        headers: { ...headersOf(actor), "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  const admin = { kind: "system", id: "admin" };
  const create = async (threadId: string) =>
    void (await send(`/threads/${threadId}`, "PUT", { definition: "tally" }, admin));
  await create("a");
  await create("b");
  return {
    carrier: (actor) =>
      httpCarrier(
        new Requester({
          url: "http://server",
          headers: headersOf(actor),
          fetch: line.fetch,
        }),
        { polling },
      ),
    submit: (threadId, operation: AnyOperation, actor) =>
      send(`/threads/${threadId}/operations`, "POST", operation, actor),
    create,
    interrupt: line.cut,
    forbid: (next) => void (isForbidden = next),
    dispose: () => server.close(),
  };
}

carrierContract("one stream over HTTP", () => open(false));
carrierContract("polling over HTTP", () => open(true));
