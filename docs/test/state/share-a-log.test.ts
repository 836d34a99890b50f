// "Which log may be shared by whom": its server and its worker, run as printed.

import { join } from "node:path";
import { openThread, type Thread } from "@opstate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { guideImports, guideInstalls, writeGuide } from "../support/guide.ts";

const folder = writeGuide("share-a-log");
const { counter } = await import(join(folder, "counter.ts"));
const { log, server, visits } = await import(join(folder, "server.ts"));
const { work } = await import(join(folder, "worker.ts"));

describe("a shared log", () => {
  it("installs what its code imports", () =>
    expect(guideInstalls("share-a-log")).toEqual(expect.arrayContaining([...guideImports("share-a-log")])));

  it("has one thread for the server, for others that open it beside, and for a worker", async () => {
    const { url } = await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    const beside: Thread = await openThread({ definition: counter, log, threadId: "visits" });
    expect(beside.getState()).toEqual({ count: 1 });
    expect(await work(url)).toMatchObject({ accepted: true, version: 2 });
    expect(beside.getState()).toEqual({ count: 3 });
    expect(visits.version).toBe(2);
  });
});
