// The program as it is started and stopped.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const main = fileURLToPath(new URL("../../src/server/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "debate-main-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(environment: Record<string, string>) {
  const child = spawn(process.execPath, ["--conditions=@opstate/source", main], {
    env: {
      ...process.env,
      OPSTATE_DEBATE_DATA: join(folder, "debate.sqlite"),
      OPSTATE_MODEL: "",
      OPSTATE_OFFLINE_DELAY: "5",
      PORT: "0",
      ...environment,
    },
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

test("a signal in the middle of a round ends it cleanly, and the debate is kept", async () => {
  const first = start({});
  const url = await first.printed(/http:\/\/127\.0\.0\.1:\d+/);
  const response = await fetch(`${url}/api/debate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ topic: "Zoos", maxRounds: 1, id: "main-test" }),
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes('"messageId":"1-skeptic"')) text += decoder.decode((await reader?.read())?.value);
  first.child.kill("SIGTERM");
  const { code, output } = await first.ended;
  expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining("Error") });

  const second = start({});
  const again = await second.printed(/http:\/\/127\.0\.0\.1:\d+/);
  const debate = await (await fetch(`${again}/api/debate/main-test`)).json();
  expect(debate).toMatchObject({ phase: "broken_off", state: { topic: "Zoos", round: 1 } });
  second.child.kill("SIGTERM");
  expect((await second.ended).code).toBe(0);
});

test("a port that is in use is reported in one sentence", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { printed } = start({ PORT: String(port) });
  await expect(printed(/never/)).rejects.toThrow(
    `It ended with 1: Port ${port} on 127.0.0.1 is in use by another program.`,
  );
  other.close();
});

test.each([
  [{ PORT: "99999" }, 'PORT="99999" is not a port: give a whole number from 0 to 65535.'],
  [
    { OPSTATE_MODEL: "openai:gpt-4.1-mini", OPENAI_API_KEY: "" },
    "OPSTATE_MODEL=openai:gpt-4.1-mini needs an API key: set OPENAI_API_KEY.",
  ],
  [{ OPSTATE_MODEL: "gpt" }, 'OPSTATE_MODEL="gpt" is not "<provider>:<model>".'],
  [{ OPSTATE_OFFLINE_DELAY: "fast" }, 'OPSTATE_OFFLINE_DELAY="fast" is not a number of milliseconds'],
])("%j: it says what to set", async (environment, message) => {
  await expect(start(environment).printed(/never/)).rejects.toThrow(`It ended with 1: ${message}`);
});
