// The program as it is started and stopped.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WEBHOOK_TOKEN } from "@opstate/kanban-server";
import { afterAll, expect, test, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "demo-main-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(environment: Record<string, string>) {
  const child = spawn(process.execPath, ["--conditions=@opstate/source", main], {
    env: { ...process.env, OPSTATE_DATA: join(folder, "demo.sqlite"), OPSTATE_MODEL: "", PORT: "0", ...environment },
  });
  let output = "";
  const ended = once(child, "exit").then(([code]: unknown[]) => ({ code, output }));
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = (chunk: Buffer) => {
        output += chunk.toString();
        const found = pattern.exec(output)?.[0];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      void ended.then(({ code }) => reject(new Error(`It ended with ${String(code)}: ${output}`)));
    });
  return { child, ended, printed };
}

test("it prints where to look, and a signal ends it cleanly in the middle of a stream", async () => {
  const { child, ended, printed } = start({});
  const url = await printed(/http:\/\/127\.0\.0\.1:\d+/);
  const events = await fetch(`${url}/threads/demo/events`);
  const reader = events.body?.getReader();
  await reader?.read();
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
  // The stream was ended, not torn.
  while (!(await reader?.read())?.done);
});

test("a signal cuts no request: each is answered, and what was accepted is kept", async () => {
  const data = { OPSTATE_DATA: join(folder, "drained.sqlite") };
  const first = start(data);
  const url = await first.printed(/http:\/\/127\.0\.0\.1:\d+/);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const headers = { "content-type": "application/json", authorization: `Bearer ${WEBHOOK_TOKEN}` };
  const card = { type: "addCard", columnId: "backlog", title: "In flight", priority: 1 };
  const sent = Array.from({ length: 50 }, (_, index) =>
    fetch(`${url}/threads/demo/operations`, {
      method: "POST",
      headers,
      body: JSON.stringify({ id: `webhook-${index}`, operation: card }),
    }).then((response) => response.status),
  );
  await sent[0];
  first.child.kill("SIGTERM");
  expect(new Set(await Promise.all(sent))).toEqual(new Set([200]));
  expect((await first.ended).code).toBe(0);

  const second = start(data);
  const again = await second.printed(/http:\/\/127\.0\.0\.1:\d+/);
  const { state } = (await (await fetch(`${again}/threads/demo`)).json()) as { state: unknown };
  expect(JSON.stringify(state).split('"In flight"').length - 1).toBe(50);
  second.child.kill("SIGTERM");
  await second.ended;
});

test("a port that is in use is reported in one sentence", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { ended, printed } = start({ PORT: String(port) });
  await expect(printed(/never/)).rejects.toThrow(
    `It ended with 1: Port ${port} is taken by another program. Stop it, or take another port: PORT=${port + 1} npx -y pnpm@12.21.0 demo`,
  );
  expect((await ended).code).toBe(1);
  other.close();
});

test("what is missing for a language model is said too", async () => {
  const { printed } = start({ OPSTATE_MODEL: "openai:gpt-4.1-mini", OPENAI_API_KEY: "" });
  await expect(printed(/never/)).rejects.toThrow(
    "It ended with 1: OPSTATE_MODEL=openai:gpt-4.1-mini needs an API key: set OPENAI_API_KEY.",
  );
});
