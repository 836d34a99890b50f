// "Runs that survive": the guide's server, and its two pages one after the other.

import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "./guide.ts";
import { type Program, startProgram } from "./support/program.ts";
import { typeErrors } from "./support/types.ts";

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

it("installs what its code imports", () =>
  expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

it("has right types", () => expect(typeErrors(writeGuide(name, { folder: `${name}-types` }))).toBe(""));

it("shows on the next page the whole run that the first one left", async () => {
  const first = startProgram(folder, "first-page.ts");
  expect(await first.ended).toBe(0);
  expect(first.output()).toBe("Left after 2\n");
  const next = startProgram(folder, "next-page.ts");
  expect(await next.ended).toBe(0);
  expect(next.output().replace(/'\w+-answer'/, "'...-answer'")).toBe(guideFiles(name)["printed.txt"]);
  const runs = await fetch(`http://127.0.0.1:${ports[4310]}/threads/weekend/runs`);
  expect(await runs.json()).toMatchObject([
    { status: "finished", steps: 6, messages: [{ content: "Buy what we need" }] },
  ]);
  const { state } = (await (await fetch(`http://127.0.0.1:${ports[4310]}/threads/weekend`)).json()) as {
    state: { items: string[] };
  };
  expect(state.items).toHaveLength(6);
});
