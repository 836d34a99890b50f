// SvelteKit, as it is published, built for production and used in a browser.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { type BoardApp, boardAppTests } from "../harness/board-app.ts";
import { bundleTests } from "../harness/bundle-tests.ts";
import { createProject, type Project } from "../harness/project.ts";

let project: Project;
let app: BoardApp;

const TELL_REQUESTS = join(import.meta.dirname, "../harness/tell-requests.mjs");

const build = async () => void (await project.run("vite", ["build"]));

async function start(): Promise<BoardApp> {
  const port = await freePort();
  const server = project.start("node", ["--import", TELL_REQUESTS, "build"], { HOST: "127.0.0.1", PORT: `${port}` });
  await server.printed(/^Listening on /m);
  return { url: `http://127.0.0.1:${port}`, server };
}

beforeAll(async () => {
  project = await createProject({
    name: "sveltekit",
    from: ["app", "more"].map((part) => join(import.meta.dirname, part)),
  });
  await build();
  app = await start();
});
afterAll(() => project?.remove());

describe("SvelteKit", () => {
  it("has right types", async () => {
    await project.run("svelte-kit", ["sync"]);
    expect(await project.run("svelte-check", ["--output", "human", "--fail-on-warnings"])).toContain("0 errors");
  });

  describe("as every application", () => boardAppTests(() => app));

  bundleTests({
    project: () => project,
    app: () => app,
    build,
    start,
    client: "build/client",
    server: "build/server",
  });
});
