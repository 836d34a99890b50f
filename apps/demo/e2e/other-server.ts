// Servers on another origin than the page: an AG-UI agent that lets the page in, and three that are
// no agents for it.

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

export interface OtherServer {
  readonly url: string;
  close(): Promise<void>;
}

const events = [
  { type: "RUN_STARTED", threadId: "t", runId: "r" },
  { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
  {
    type: "TEXT_MESSAGE_CONTENT",
    messageId: "m",
    delta: '<img src="x" onerror="document.title = \'run\'"> from elsewhere',
  },
  { type: "TEXT_MESSAGE_END", messageId: "m" },
];

/** How many events the path /flood sends. */
export const FLOOD = 20_000;

export async function startOtherServer(): Promise<OtherServer> {
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path !== "/closed") {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-headers", "content-type");
    }
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    if (path === "/page")
      return void response.setHeader("content-type", "text/html").end("<!doctype html><title>A page</title>");
    if (path === "/missing") return void response.writeHead(404).end("No such agent.");
    response.setHeader("content-type", "text/event-stream");
    for (const event of events) send(response, event);
    if (path === "/flood")
      for (let count = 0; count < FLOOD; count += 1)
        send(response, { type: "STATE_DELTA", delta: [{ op: "add", path: "/count", value: count }] });
    if (path !== "/cut") send(response, { type: "RUN_FINISHED", threadId: "t", runId: "r" });
    return void response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function send(response: ServerResponse, event: object): void {
  response.write(`data: ${JSON.stringify(event)}\n\n`);
}
