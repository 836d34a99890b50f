// "Runs that survive": the guide's server, and its two pages one after the other.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { streamRuns } from "@opstate/server";
import { sqliteStreams } from "@opstate/streams/sqlite";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { freePort } from "../../../tools/free-port.ts";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { type Program, startProgram } from "../support/program.ts";

const name = "runs-that-survive";
const ports = { 4310: await freePort() };

let folder: string;
let server: Program;

beforeAll(async () => {
  folder = writeGuide(name, { ports });
  server = startProgram(folder, "server.ts");
  await server.printed(/^Serving /m);
});

afterAll(() => server?.stop());

const weekend = async (path = "") => (await fetch(`http://127.0.0.1:${ports[4310]}/threads/weekend${path}`)).json();

it("installs what its code imports", () =>
  expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

it("shows on the next page the whole run that the first one left", async () => {
  const first = startProgram(folder, "first-page.ts");
  expect(await first.ended).toBe(0);
  expect(first.output()).toBe("Left after 2\n");
  const next = startProgram(folder, "next-page.ts");
  expect(await next.ended).toBe(0);
  expect(next.output().replace(/'\w+-answer'/, "'...-answer'")).toBe(guideFiles(name)["printed.txt"]);
  expect(await weekend("/runs")).toMatchObject([
    { status: "finished", steps: 6, messages: [{ content: "Buy what we need" }] },
  ]);
  expect((await weekend()).state.items).toHaveLength(6);
});

it("goes on where the run was when its server was killed", async () => {
  // Another conversation, on another thread.
  for (const [file, text] of Object.entries(guideFiles(name, { ports })))
    writeFileSync(join(folder, file), text.replaceAll("weekend", "monday"));
  const first = startProgram(folder, "first-page.ts");
  expect(await first.ended).toBe(0);
  await firstStepIsStored();
  await server.kill();
  server = startProgram(folder, "server.ts");
  await server.printed(/^Serving /m);
  const next = startProgram(folder, "go-on.ts");
  expect(await next.ended).toBe(0);
  const printed = next.output().replace(/'[\w.]+-answer'/, "'...-answer'");
  // How far it came is the machine's matter.
  expect(printed.replace(/after \d( of \d)? steps?/, "after 3 steps")).toBe(guideFiles(name)["gone-on.txt"]);
  const runs = await (await fetch(`http://127.0.0.1:${ports[4310]}/threads/monday/runs`)).json();
  expect(runs).toMatchObject([{ status: "stopped", continuable: true }, { status: "finished" }]);
  const { state } = await (await fetch(`http://127.0.0.1:${ports[4310]}/threads/monday`)).json();
  expect(state.items).toEqual(["milk", "bread", "tea", "rice", "eggs", "salt"]);
});

/** A page may have a step before it is in the file. */
async function firstStepIsStored(): Promise<void> {
  const { incarnation } = await (await fetch(`http://127.0.0.1:${ports[4310]}/threads/monday`)).json();
  const streams = sqliteStreams({ path: join(folder, "data/runs.sqlite") });
  await vi.waitUntil(
    async () => {
      const [run] = await streamRuns(streams).load("monday", incarnation);
      return run?.events.some((json) => json.includes("TOOL_CALL_RESULT"));
    },
    { interval: 20, timeout: 60_000 },
  );
  await streams.close();
}
