// /healthz and /readyz over HTTP.

import { type Log, memoryLog, OpstateError } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { send, start } from "../support/server.ts";

const nobody = {};

/** A log whose heads cannot be read while `fault` is set. */
function brokenLog() {
  const broken: { log: Log; fault: unknown } = { log: memoryLog(), fault: undefined };
  const { info } = broken.log;
  broken.log.info = async (threadId) => {
    if (broken.fault !== undefined) throw broken.fault;
    return info(threadId);
  };
  return broken;
}

describe("/healthz", () => {
  it("answers any sender, whatever the log does", async () => {
    const broken = brokenLog();
    broken.fault = new Error("gone");
    const { url } = await start({ log: broken.log });
    expect(await send(`${url}/healthz`, "GET", undefined, nobody)).toMatchObject({
      status: 200,
      body: { status: "ok" },
    });
    const head = await fetch(`${url}/healthz`, { method: "HEAD" });
    expect([head.status, head.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });

  it("is below the base path", async () => {
    const { url } = await start({ basePath: "/opstate" });
    expect((await send(`${url}/opstate/healthz`, "GET", undefined, nobody)).status).toBe(200);
    expect((await send(`${url}/opstate/readyz`, "GET", undefined, nobody)).status).toBe(200);
  });
});

describe("/readyz", () => {
  it("says 200 when the log answers", async () => {
    const { url } = await start();
    expect(await send(`${url}/readyz`, "GET", undefined, nobody)).toMatchObject({
      status: 200,
      body: { status: "ready" },
    });
  });

  it("says 503 when it fails, and reports the reason to the application only", async () => {
    const broken = brokenLog();
    broken.fault = new OpstateError("log_unavailable", "password of opstate@10.0.0.7 is wrong");
    const { url, errors } = await start({ log: broken.log });
    const answer = await send(`${url}/readyz`, "GET", undefined, nobody);
    expect(answer).toMatchObject({ status: 503, type: "application/problem+json", body: { code: "log_unavailable" } });
    expect(JSON.stringify(answer.body)).not.toContain("10.0.0.7");
    expect(errors).toEqual([broken.fault]);
  });

  it("says 503 while the server drains", async () => {
    const { server } = await start();
    const drained = server.drain({ notice: 0 });
    const answer = await server.fetch(new Request("http://127.0.0.1/readyz"));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    await drained;
  });
});
