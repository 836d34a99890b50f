// The same bytes from `node:http` alone: what a server of events costs that knows nothing but who
// reads. A loop over all responses, once for each event, and a comment every 15 seconds.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerWithUse } from "./use.ts";

/** What a reader gets first, and an event, by a server that has read `version` operations. */
const [first = "", event = "", version = ""] = process.argv.slice(2);

const readers = new Set<ServerResponse>();
let at = Number(version);

const server = createServer((incoming, outgoing) => {
  if (incoming.method === "GET") {
    outgoing.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    outgoing.write(first);
    readers.add(outgoing);
    outgoing.on("close", () => readers.delete(outgoing));
    return;
  }
  incoming.resume();
  incoming.on("end", () => {
    at += 1;
    const frame = Buffer.from(event.replaceAll(version, String(at)));
    for (const reader of readers) reader.write(frame);
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ accepted: true, version: at }));
  });
});
setInterval(() => {
  for (const reader of readers) reader.write(":\n\n");
}, 15_000).unref();
server.listen({ host: "127.0.0.1", port: 0, backlog: 65_535 }, () => {
  answerWithUse();
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("disconnect", () => process.exit());
