// Two servers on one log. One deletes a thread that the other has open; the other closes it as soon
// as it finds out, and its readers get the thread that has the name now.

import { createReplica, type Log, memoryLog } from "@opstate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpTransport } from "../../src/client/index.ts";
import { readEvents } from "../support/events.ts";
import { ada, add, bob, list } from "../support/rights/kinds.ts";
import { send, start } from "../support/server.ts";

type OnHead = (version: number, incarnation?: string) => void;

/** A log that announces heads only when the test says so. */
function toldLog() {
  const log = memoryLog();
  const heard = new Set<OnHead>();
  const told: Log = {
    ...log,
    watch(_, onHead) {
      heard.add(onHead);
      return () => void heard.delete(onHead);
    },
  };
  const ring = async () => {
    const { version, incarnation } = (await log.info("t")) ?? { version: 0, incarnation: "" };
    for (const onHead of [...heard]) onHead(version, incarnation);
  };
  return { log: told, ring };
}

/** A log that announces nothing. */
function quietLog(): Log {
  const { watch: _, ...log } = memoryLog();
  return log;
}

async function twoServers(log: Log = quietLog()) {
  // Each server has the log as another process has it.
  const server = () => start({ definitions: [list], log: { ...log } });
  const [here, there] = [await server(), await server()];
  const create = (url: string) => send(`${url}/threads/t`, "PUT", { definition: "list" }, ada);
  await create(here.url);
  await send(`${here.url}/threads/t/operations`, "POST", add("old"), ada);
  /** The other server deletes the thread, creates it again, and writes to the same version. */
  const replace = async () => {
    await send(`${there.url}/threads/t`, "DELETE", undefined, ada);
    await create(there.url);
    await send(`${there.url}/threads/t/operations`, "POST", add("new"), ada);
  };
  return { here, there, thread: `${here.url}/threads/t`, replace };
}

describe("a thread that another server deleted and created again", () => {
  it("refuses an operation for the deleted one, then accepts operations for the new one", async () => {
    const { here, thread, replace } = await twoServers();
    await replace();
    expect(await send(`${thread}/operations`, "POST", add("more"), bob)).toMatchObject({
      status: 503,
      body: { code: "closing", detail: expect.stringContaining("Send the request again") },
    });
    expect(await send(`${thread}/operations`, "POST", add("more"), bob)).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect((await send(thread, "GET", undefined, bob)).body.state).toEqual({ items: ["new", "more"] });
    expect(here.errors).toEqual([]);
  });

  it("disconnects its readers, who connect again to the new one", async () => {
    const { log, ring } = toldLog();
    const { thread, replace } = await twoServers(log);
    const events = await readEvents(`${thread}/events`, bob);
    await events.until(1);
    await replace();
    await ring();
    await events.ended();
    const again = await readEvents(`${thread}/events`, bob);
    expect((await again.until(1)).at(-1)?.data).toContain('"new"');
  });

  it("is followed by pages from then on, with their edits that are still valid", async () => {
    const { thread, replace, here } = await twoServers();
    const replica = createReplica({
      definition: list,
      transport: httpTransport({ url: here.url, threadId: "t", headers: bob }),
    });
    onTestFinished(() => replica.close());
    await replica.ready();
    expect(replica.getState().items).toEqual(["old"]);
    await replace();
    const verdict = await replica.dispatch(add("mine"));
    expect(verdict).toMatchObject({ accepted: true, version: 2 });
    expect(replica.getState().items).toEqual(["new", "mine"]);
    expect((await send(thread, "GET", undefined, bob)).body).toMatchObject({
      version: 2,
      state: { items: ["new", "mine"] },
    });
  });

  it("is gone on this server too when no other one was created", async () => {
    const { log, ring } = toldLog();
    const { there, thread } = await twoServers(log);
    const events = await readEvents(`${thread}/events`, bob);
    await events.until(1);
    await send(`${there.url}/threads/t`, "DELETE", undefined, ada);
    await ring();
    await events.ended();
    expect(await send(thread, "GET", undefined, bob)).toMatchObject({ status: 404, body: { code: "unknown_thread" } });
  });
});
