// The log of an object keeps the contract of logs, inside workerd.

import { afterAll, describe, expect, it } from "vitest";
import { isLong } from "../../../tools/runs.ts";
import { bundle, startWorker } from "./support/workerd.ts";

const runtime = await startWorker({ code: await bundle("log-worker.ts"), objects: ["Logs"] });
afterAll(() => runtime.kill());

const names = (await (await fetch(`${runtime.url}/lasting/`)).json()) as readonly string[];

const kinds = [
  ["lasting", "one object"],
  ["restarted", "an object that is restarted before every call"],
] as const;

describe.each(isLong() ? kinds : kinds.slice(0, 1))("%s: the contract of logs, in %s", (kind) => {
  it.each(names.map((name, index) => ({ name, index })))("$name", async ({ index }) => {
    expect(await (await fetch(`${runtime.url}/${kind}/${index}`)).text()).toBe("");
  });
});
