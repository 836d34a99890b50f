// A provider's endpoint on this machine: it answers with the turns of a script, keeps what it was
// sent, and refuses what the provider would refuse.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Provider, Turn } from "./providers.ts";

export interface Endpoint {
  readonly url: string;
  /** The bodies of the requests. */
  readonly sent: readonly unknown[];
  close(): Promise<void>;
}

export async function startEndpoint(provider: Provider, script: readonly Turn[]): Promise<Endpoint> {
  const sent: unknown[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const body: unknown = JSON.parse(text);
      const turn = script[sent.length];
      sent.push(body);
      const fault = turn === undefined ? "no more turns in the script" : provider.faultIn(body);
      const answer = fault === undefined && turn !== undefined ? provider.answer(turn, sent.length) : undefined;
      response.writeHead(answer === undefined ? 400 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer ?? { error: { message: fault, type: "invalid_request_error" } }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
