// The carriers over HTTP keep the contract of carriers, with a real server.

import { httpCarrier, Requester } from "@opstate/client/carriers";
import { type Actor, type AnyOperation, memoryLog } from "@opstate/core";
import { carrierContract, type CarrierUnderTest } from "../../../client/test/carrier-contract.ts";
import { tally } from "../../../client/test/tally.ts";
import { createServer } from "../../src/index.ts";

const headersOf = ({ kind, id }: Actor) => ({ authorization: `${kind} ${id}` });

/** A server that is called without a network: what breaks is the requests under way. */
async function open(polling: boolean): Promise<CarrierUnderTest> {
  let isForbidden = false;
  let line = new AbortController();
  const server = createServer({
    definitions: [tally],
    log: memoryLog(),
    authorize(request) {
      const [kind = "", id = ""] = (request.headers.get("authorization") ?? "").split(" ");
      return { actor: { kind, id }, allows: (threadId) => !(isForbidden && threadId === "b") };
    },
  });
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
          fetch: (input, init) => {
            const signal = AbortSignal.any([line.signal, ...(init?.signal ? [init.signal] : [])]);
            return Promise.race([
              Promise.resolve(server.fetch(new Request(input as string, { ...init, signal }))),
              new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
            ]).then((response) => broken(response, signal));
          },
        }),
        { polling },
      ),
    submit: (threadId, operation: AnyOperation, actor) =>
      send(`/threads/${threadId}/operations`, "POST", operation, actor),
    create,
    interrupt() {
      line.abort(new TypeError("network error"));
      line = new AbortController();
    },
    forbid: (next) => (isForbidden = next),
    dispose: () => server.close(),
  };
}

/** The same response; its body breaks with the signal. */
function broken(response: Response, signal: AbortSignal): Response {
  if (!response.body) return response;
  const body = response.body.pipeThrough(new TransformStream(), { signal });
  return new Response(body, response);
}

carrierContract("one stream over HTTP", () => open(false));
carrierContract("polling over HTTP", () => open(true));
