// Next with its App Router: built for production by both of its bundlers, with either build of
// `@opstate/core` in the page, and used in a browser.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guideFiles } from "../../docs/test/support/guide.ts";
import { freePort } from "../../tools/free-port.ts";
import { openBrowser } from "../../tools/people.ts";
import type { Program } from "../../tools/program.ts";
import { hasFullEngine } from "../harness/bundle.ts";
import { createProject, type Project } from "../harness/project.ts";
import { type Running, usesBoards } from "./uses.ts";

/** As the guide "A smaller page" says it. */
const PAGE_BUILD = guideFiles("a-smaller-page")["next.config.mjs"]!;

/** Next's configuration, by the build that the page has. */
const CONFIGURATIONS = {
  "the full build": "export default {};",
  "the page's build": PAGE_BUILD,
  "the page's build, and cached components": PAGE_BUILD.replace("{", "{ cacheComponents: true,"),
  "the page's build, on the server too": `export default {
    turbopack: { resolveAlias: { "@opstate/core/engine": "@opstate/core/engine/page" } },
    webpack(config) {
      config.resolve.conditionNames = ["opstate-page", "..."];
      return config;
    },
  };`,
};
type Build = keyof typeof CONFIGURATIONS;

let project: Project;
let ports: Record<3000 | 4310, number>;
beforeAll(async () => {
  ports = { 3000: await freePort(), 4310: await freePort() };
  const from = ["app", "more"].map((part) => join(import.meta.dirname, part));
  project = await createProject({ name: "next", from, ports });
});
afterAll(() => project?.remove());

it("has right types", async () => {
  await project.run("next", ["typegen"]);
  await project.run("tsc", ["--noEmit"]);
});

describe.each(["turbopack", "webpack"])("Next, built by %s", (bundler) => {
  /** Kilobytes of a page's scripts, gzipped. */
  const sizes: Partial<Record<Build, number>> = {};

  describe.each(["the full build", "the page's build"] as const)("with %s in the page", (build) => {
    const running = served(bundler, build);
    usesBoards(running);
    decidesOnFullEngine(running, { definition: false });

    it("has no other engine in its scripts", async () => {
      const { site, people } = running();
      const { page, context } = await people.visit("about:blank");
      await context.addCookies([{ name: "user", value: "ada", url: site }]);
      const scripts = await scriptsOf(page, `${site}/boards/launch`);
      await context.close();
      expect(scripts.some(hasFullEngine)).toBe(build === "the full build");
      sizes[build] = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0) / 1000;
    });
  });

  it("has a page that is smaller by what only an authority needs", () => {
    const { "the full build": full = 0, "the page's build": page = 0 } = sizes;
    console.log(`${bundler}: ${full.toFixed(1)} KB of scripts, ${page.toFixed(1)} KB with the page's build`);
    expect(full - page).toBeGreaterThan(25);
  });

  describe("with the page's build in the page and on the server", () => {
    decidesOnFullEngine(served(bundler, "the page's build, on the server too"), { definition: true });
  });
});

// Next renders parts of a page before there is a request, and keeps pages that were left: hidden,
// with their state and without their effects.
describe("Next with cached components", () =>
  usesBoards(served("turbopack", "the page's build, and cached components")));

/** Builds and serves the application before the tests of a group. */
function served(bundler: string, build: Build): () => Running {
  let running: Running;
  let next: Program;
  beforeAll(async () => {
    writeFileSync(join(project.folder, "this.config.mjs"), CONFIGURATIONS[build]);
    // Types are the same in all builds, and have a test.
    const config = `import config from "./this.config.mjs";
      export default { ...config, typescript: { ignoreBuildErrors: true } };`;
    writeFileSync(join(project.folder, "next.config.mjs"), config);
    await project.run("next", ["build", `--${bundler}`]);
    for (const end of ["", "-wal", "-shm"]) rmSync(join(project.folder, `boards.sqlite${end}`), { force: true });
    const tell = join(import.meta.dirname, "../harness/tell-requests.mjs");
    const server = project.start("node", ["--import", tell, "server.ts"]);
    await server.printed(/^Serving /m);
    next = project.start("next", ["start", "--port", String(ports[3000])]);
    await next.printed(/Ready in/);
    running = {
      site: `http://localhost:${ports[3000]}`,
      api: `http://localhost:${ports[4310]}`,
      server,
      people: await openBrowser(),
    };
  });
  afterAll(async () => {
    await running?.people.close();
    await Promise.all([next?.stop(), running?.server.stop()]);
    // Nothing of a request was an error to Next.
    if (running !== undefined) expect(next.output()).not.toMatch(/⨯|Error/);
  });
  return () => running;
}

/** A thread and a server in Next's own process, whatever the page has. */
function decidesOnFullEngine(running: () => Running, alone: { readonly definition: boolean }): void {
  it("has a thread in a route that refuses what only the full engine refuses", async () => {
    const answer = await fetch(`${running().site}/engine`);
    expect(await answer.json()).toEqual({ thread: false, ...alone });
  });

  it("has a server in a route that refuses it too", async () => {
    const at = `${running().site}/opstate/threads/here`;
    const headers = { "content-type": "application/json" };
    await fetch(at, { method: "PUT", headers, body: `{ "definition": "loose" }` });
    const answer = await fetch(`${at}/operations`, { method: "POST", headers, body: `{ "type": "stray" }` });
    expect(await answer.json()).toMatchObject({ accepted: false, rejection: { code: "invalid_state" } });
  });
}

/** The scripts that a page loads until it is live. */
async function scriptsOf(page: Page, url: string): Promise<readonly string[]> {
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.text());
  });
  await page.goto(url);
  await page.getByRole("status").getByText("Live").waitFor();
  return Promise.all(scripts);
}
