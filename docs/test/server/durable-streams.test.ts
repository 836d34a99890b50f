// "A Durable Streams server": the server, the worker and the reader as printed.

import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { StreamServer, StreamStore } from "@opstate/streams";
import { freePort } from "../../../tools/free-port.ts";
import { guideImports, guideInstalls, writeGuide } from "../support/guide.ts";

const cwd = process.cwd();
const folder = writeGuide("durable-streams", { ports: { 4437: await freePort() } });
process.chdir(folder);
afterAll(() => process.chdir(cwd));

const { server, store, url }: { server: StreamServer; store: StreamStore; url: string } = await import(
  join(folder, "server.ts")
);
const { work }: { work: (run: string, epoch: number) => Promise<void> } = await import(join(folder, "worker.ts"));
const {
  read,
}: { read: (run: string, token: string, offset?: string) => Promise<{ steps: unknown[]; offset: string }> } =
  await import(join(folder, "reader.ts"));
const { stepsOf }: { stepsOf: (run: string) => Promise<unknown[]> } = await import(join(folder, "in-process.ts"));
afterAll(async () => {
  await server.close();
  await store.close();
});

const steps = [{ step: 1 }, { step: 2 }, { step: 3 }];

describe("a Durable Streams server", () => {
  it("installs what its code imports", () => {
    expect(guideInstalls("durable-streams")).toEqual(expect.arrayContaining([...guideImports("durable-streams")]));
  });

  it("gives a reader what the worker wrote, from where the reader was", async () => {
    await work("ada/run-1", 0);
    const first = await read("ada/run-1", "token-of-ada");
    expect(first.steps).toEqual(steps);
    expect((await read("ada/run-1", "token-of-ada", first.offset)).steps).toEqual([]);
    expect(await stepsOf("ada/run-1")).toEqual(steps);
  });

  it("gives no one what is another's, and lets no reader write", async () => {
    const path = `${url}/streams/ada/run-1`;
    const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    expect((await fetch(path)).status).toBe(401);
    expect((await fetch(path, as("token-of-bob"))).status).toBe(403);
    expect((await fetch(path, { ...as("token-of-ada"), method: "DELETE" })).status).toBe(403);
  });
});
