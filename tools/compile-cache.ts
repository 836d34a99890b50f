// Browser tests start a demo for nearly each test, and a third of a start is compiling. What the
// first start compiled, the others read.
//
//   playwright.config.ts   NODE_COMPILE_CACHE, for this process, its workers and their demos
//   this file, once        a demo that is ended by a signal: a killed one writes no cache

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DEMOS = ["apps/demo/src/main.ts", "apps/debate/src/server/main.ts"];

export default async function fillCompileCache(): Promise<void> {
  await Promise.all(DEMOS.map(startAndEnd));
}

async function startAndEnd(demo: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "opstate-compile-"));
  const data = { OPSTATE_DATA: join(folder, "demo.sqlite"), OPSTATE_DEBATE_DATA: join(folder, "debate.sqlite") };
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", demo)], {
    env: { ...process.env, ...data, PORT: "0", OPSTATE_MODEL: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  child.stdout.on("data", (text: Buffer) => {
    const url = /http:\/\/[^\s/]+/u.exec(text.toString())?.[0];
    // With its first answer it is ready for signals, too.
    if (url !== undefined) void fetch(`${url}/api/info`).then(() => child.kill("SIGTERM"));
  });
  const [code] = await exit;
  await rm(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`${demo} ended with the code ${code}.`);
}
