// The whole demo as a child process, on a port and files of its own. All tests share it: none
// relies on what the board holds.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test as base } from "playwright/test";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export interface Demo {
  readonly url: string;
}

/** Gives the tests a running demo, and fails the one whose page writes an error to the console. */
export const test = base.extend<{ expectedErrors: RegExp | null; quietConsole: undefined }, { demo: Demo }>({
  expectedErrors: [null, { option: true }],
  quietConsole: [
    async ({ page, expectedErrors }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !expectedErrors?.test(message.text())) errors.push(message.text());
      });
      await use(undefined);
      expect(errors, "errors in the console").toEqual([]);
    },
    { auto: true },
  ],
  demo: [
    // oxlint-disable-next-line no-empty-pattern -- the shape of a fixture that needs no other
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "opstate-demo-e2e-"));
      // Port 0 takes any that is free.
      const child = spawn(process.execPath, [main], {
        env: {
          ...process.env,
          PORT: "0",
          OPSTATE_DATA: join(folder, "demo.sqlite"),
          OPSTATE_OFFLINE_DELAY: "2",
          OPSTATE_MODEL: "",
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
      let url = "";
      await expect(async () => {
        expect(child.exitCode, output).toBeNull();
        url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? "";
        expect(url, output).not.toBe("");
        expect((await fetch(`${url}/api/info`)).ok).toBe(true);
      }).toPass({ intervals: [50], timeout: 60_000 });
      await use({ url });
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 240_000 },
  ],
});

export { expect };
