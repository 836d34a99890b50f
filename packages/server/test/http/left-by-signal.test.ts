// A host that is no Node process says by the request's signal that its reader left.

import { memoryLog } from "@opstate/core";
import { expect, it, onTestFinished } from "vitest";
import { createFetchServer } from "../../src/fetch.ts";
import { counter } from "../../../core/src/testing/shared/contract-counter.ts";

it("ends a stream whose body nobody cancels", async () => {
  const closed: string[] = [];
  const server = createFetchServer({
    definitions: [counter],
    log: memoryLog(),
    authorize: () => ({ actor: { kind: "user", id: "ada" }, allows: () => true }),
    observe: {
      onEvent(event) {
        if (event.type === "stream_closed") closed.push(event.reason);
      },
    },
  });
  onTestFinished(() => server.close());
  const leaving = new AbortController();
  const body = JSON.stringify({ threads: {} });
  const headers = { "content-type": "application/json" };
  const sent = { method: "POST", headers, body, signal: leaving.signal };
  const answer = await server.fetch(new Request("https://boards.example/events", sent));
  await answer.body?.getReader().read();
  expect(closed).toEqual([]);
  leaving.abort();
  expect(closed).toEqual(["left"]);
});
