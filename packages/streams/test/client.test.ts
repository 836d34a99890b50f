// The protocol's own client reads and writes this server.

import { DurableStream, IdempotentProducer, stream } from "@durable-streams/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStreamServer, memoryStreams } from "../src/index.ts";
import { sqliteStreams } from "../src/sqlite/index.ts";

describe.each([
  ["memory", () => memoryStreams()],
  ["SQLite", () => sqliteStreams({ path: ":memory:" })],
])("on %s", (_, openStore) => {
  const store = openStore();
  const server = createStreamServer({ store, insecure: true, basePath: "/streams" });
  let url = "";
  beforeAll(async () => {
    url = `${(await server.listen()).url}/streams`;
  });
  afterAll(async () => {
    await server.close();
    await store.close();
  });

  it("writes JSON and reads it back", async () => {
    const handle = await DurableStream.create({ url: `${url}/json`, contentType: "application/json" });
    await handle.append(JSON.stringify({ step: 1 }));
    await handle.append(JSON.stringify([{ step: 2 }]));
    await handle.close({ body: JSON.stringify({ step: 3 }) });
    const read = await stream({ url: `${url}/json`, offset: "-1", live: false });
    expect((await read.json()).flat()).toEqual([{ step: 1 }, { step: 2 }, { step: 3 }]);
    expect(await handle.head()).toMatchObject({ streamClosed: true });
  });

  it.each(["long-poll", "sse"] as const)("follows by %s until the end", async (live) => {
    const handle = await DurableStream.create({ url: `${url}/${live}`, contentType: "text/plain" });
    const read = await stream({ url: `${url}/${live}`, offset: "-1", live });
    let text = "";
    const reading = (async () => {
      for await (const chunk of read.textStream()) text += chunk;
    })();
    for (const word of ["one ", "two ", "three"]) await handle.append(word);
    await handle.close();
    await reading;
    expect(text).toBe("one two three");
  });

  it("writes by an idempotent producer, and a later epoch fences the one before", async () => {
    const handle = await DurableStream.create({ url: `${url}/producer`, contentType: "application/json" });
    const first = new IdempotentProducer(handle, "p", { epoch: 0 });
    for (let step = 0; step < 100; step += 1) first.append(JSON.stringify(step));
    await first.flush();
    const second = new IdempotentProducer(handle, "p", { epoch: 1 });
    second.append(JSON.stringify(100));
    await second.flush();
    const read = await stream<number>({ url: `${url}/producer`, offset: "-1", live: false });
    expect(await read.json()).toEqual(Array.from({ length: 101 }, (_, step) => step));
    await first.detach();
    await second.detach();
  });
});
