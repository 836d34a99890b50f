// An agent in a process of its own: it answers each run with the same events, as bytes that were
// made before. Sends its address, and serves until its parent leaves.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { eventsOf, type SentRun } from "./sent-runs.ts";

const [args = ""] = process.argv.slice(2);
const { events } = eventsOf(JSON.parse(args) as SentRun);
const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));

/** About what one read of a socket gives. */
const PIECE = 16 * 1024;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await once(request.resume(), "end");
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let at = 0; at < bytes.length; at += PIECE)
    if (!response.write(bytes.subarray(at, at + PIECE))) await once(response, "drain");
  response.end();
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? `http://127.0.0.1:${address?.port}/` : "");
});
process.on("disconnect", () => process.exit());
