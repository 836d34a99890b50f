// An application that has a Hono server of its own in the process.

import { getRequestListener } from "@hono/node-server";
import { expect, it } from "vitest";
import { addCard } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { createBoard, send, start } from "../support/server.ts";

it("streams events where the adapter of Hono has replaced the global Response", async () => {
  const platform = globalThis.Response;
  getRequestListener(() => new Response());
  expect(globalThis.Response).not.toBe(platform);

  const server = await start();
  const url = await createBoard(server.url);
  const events = await readEvents(`${url}/events`);
  expect([(await events.next()).event, (await events.next()).event]).toEqual(["welcome", "snapshot"]);
  await send(`${url}/operations`, "POST", addCard("c1"));
  expect((await events.next()).event).toBe("commits");
});
