// The id, and the other headers that every answer has.

import { describe, expect, it } from "vitest";
import { addCard } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { ada, createBoard, start } from "../support/server.ts";

const MINTED = /^[0-9a-f]{32}$/;
const json = { ...ada, "content-type": "application/json" };

describe("x-request-id", () => {
  it.each(["abc", "7f3a-1.2_3:4", "Root=1-67891233-abcdef012345678912345678", "a".repeat(128)])(
    "is the sender's: %s",
    async (id) => {
      const { url } = await start();
      const { headers } = await fetch(`${url}/threads`, { headers: { ...ada, "x-request-id": id } });
      expect(headers.get("x-request-id")).toBe(id);
    },
  );

  it.each(["", "a b", "a".repeat(129), '"quoted"', "line%0abreak", "{json}", "<b>", "-dash"])(
    "is a new one for what is not sane: %j",
    async (id) => {
      const { url } = await start();
      const answers = await Promise.all(
        [1, 2].map(() => fetch(`${url}/threads`, { headers: { ...ada, "x-request-id": id } })),
      );
      const ids = answers.map(({ headers }) => headers.get("x-request-id") ?? "");
      for (const given of ids) expect(given).toMatch(MINTED);
      expect(ids[0]).not.toBe(ids[1]);
    },
  );

  it("is in a problem too, so that who sees it can name it", async () => {
    const { url } = await start({ origins: ["https://app.example.com"] });
    const id = { "x-request-id": "r-1" };
    for (const request of [
      fetch(`${url}/threads/none`, { headers: { ...ada, ...id } }),
      fetch(`${url}/nowhere`, { headers: { ...ada, ...id } }),
      fetch(`${url}/threads`, { headers: id }),
      fetch(`${url}/threads`, { headers: { ...ada, ...id, origin: "https://evil.example.com" } }),
    ]) {
      const response = await request;
      expect(response.headers.get("x-request-id")).toBe("r-1");
      expect(await response.json()).toMatchObject({ requestId: "r-1" });
    }
  });
});

it("every answer is sent as what it is, and kept by no cache that it does not name", async () => {
  const { url } = await start({ origins: ["https://app.example.com"] });
  const thread = await createBoard(url);
  const events = await readEvents(`${thread}/events`);
  const requests: readonly (readonly [string, RequestInit?])[] = [
    ["/healthz"],
    ["/readyz"],
    ["/threads"],
    ["/threads/launch"],
    ["/threads/launch", { method: "PUT", body: JSON.stringify({ definition: "board" }) }],
    ["/threads/launch/history"],
    ["/threads/launch/operations", { method: "POST", body: JSON.stringify(addCard("c")) }],
    ["/threads/launch/operations", { method: "POST", body: JSON.stringify({ type: "nobody" }) }],
    ["/operations", { method: "POST", body: JSON.stringify([{ thread: "launch", operation: addCard("d") }]) }],
    ["/events", { method: "POST", body: JSON.stringify({ threads: { launch: {} }, wait: 0 }) }],
    ["/threads/launch/events", { method: "HEAD" }],
    ["/nowhere"],
    [
      "/threads/launch",
      { method: "OPTIONS", headers: { origin: "https://app.example.com", "access-control-request-method": "GET" } },
    ],
    ["/threads/launch", { method: "DELETE" }],
  ];
  const answers = [events.response];
  for (const [path, init] of requests)
    answers.push(await fetch(url + path, { ...init, headers: { ...json, ...init?.headers } }));
  for (const { headers, url: address, status } of answers) {
    expect(headers.get("x-content-type-options"), `${address} ${status}`).toBe("nosniff");
    expect(headers.get("cache-control"), `${address} ${status}`).toMatch(/^no-store/);
    expect(headers.get("x-request-id"), `${address} ${status}`).toMatch(MINTED);
  }
  expect(events.response.headers.get("cache-control")).toBe("no-store, no-transform");
});
