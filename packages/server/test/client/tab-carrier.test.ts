// A tab that another one leads keeps the contract of carriers, with a real server below the one
// that leads.

import { httpCarrier, Requester } from "@opstate/client/carriers";
import { type Actor, memoryLog } from "@opstate/core";
import { carrierContract, type CarrierUnderTest } from "../../../client/test/connection/carrier-contract.ts";
import { tally } from "../../../client/test/tally.ts";
import { Crowd } from "../../../client/test/tabs/crowd.ts";
import { createServer } from "../../src/index.ts";

const headersOf = ({ kind, id }: Actor) => ({ authorization: `${kind} ${id}` });

async function open(): Promise<CarrierUnderTest> {
  let isForbidden = false;
  const server = createServer({
    definitions: [tally],
    log: memoryLog(),
    authorize(request) {
      const [kind = "", id = ""] = (request.headers.get("authorization") ?? "").split(" ");
      return { actor: { kind, id }, allows: (threadId) => !(isForbidden && threadId === "b") };
    },
  });
  const { url } = await server.listen();
  const send = (path: string, method: string, body: object, actor: Actor) =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...headersOf(actor), "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const create = async (threadId: string) =>
    void (await send(`/threads/${threadId}`, "PUT", { definition: "tally" }, { kind: "system", id: "admin" }));
  await create("a");
  await create("b");
  const crowd = new Crowd((actor) => httpCarrier(new Requester({ url, headers: headersOf(actor) })), "a");
  return {
    carrier: (actor) => crowd.carrier(actor),
    submit: (threadId, operation, actor) => send(`/threads/${threadId}/operations`, "POST", operation, actor),
    create,
    interrupt: () => crowd.endLeaders(),
    forbid: (next) => void (isForbidden = next),
    async dispose() {
      crowd.close();
      await server.close();
    },
  };
}

carrierContract("a tab that another one leads, over HTTP", open);
