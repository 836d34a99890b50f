// A connection that is lost in the very bytes that open it. No PostgreSQL is needed: a server of a
// few lines greets each connection and ends it at once, as an administrator does.

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Pool } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { postgresLog } from "../../src/postgres/index.ts";
import { newThread } from "../support/entries.ts";

/** A message of the protocol: its type, its length with itself, its content. */
function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const authenticated = message("R", Buffer.alloc(4));
const readyForQuery = message("Z", Buffer.from("I"));
const terminated = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0"));

it("is a failed call, and not an uncaught error", async () => {
  const greetings: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      const greeting = Buffer.concat([authenticated, readyForQuery, terminated]);
      greetings.push(greeting);
      socket.end(greeting);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());

  const pool = new Pool({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, user: "a", password: "b" });
  const log = postgresLog({ pool, doorbell: false });
  onTestFinished(async () => {
    await log.close();
    await pool.end();
  });
  await expect(log.create(newThread("a"))).rejects.toMatchObject({ code: "log_unavailable" });
  expect(greetings.length).toBeGreaterThan(1);
});
