// The guides "A board in ten minutes" with Vite alone: their code on packages as they are
// published, built for production, with the page's build and without.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guideFiles } from "../../docs/test/support/guide.ts";
import { freePort } from "../../tools/free-port.ts";
import { openBrowser, type People } from "../../tools/people.ts";
import { add, card, live, says } from "../harness/board-app.ts";
import { type Bundle, bundleIn } from "../harness/bundle.ts";
import { createProject, type Project } from "../harness/project.ts";

const GUIDES = ["board-in-react", "board-in-svelte"] as const;
const CONFIG = "vite.config.ts";

let project: Project;
beforeAll(async () => {
  project = await createProject({ name: "vite", from: [join(import.meta.dirname, "app")] });
});
afterAll(() => project?.remove());

describe.each(GUIDES)("Vite with the guide %s", (guide) => {
  let people: People;
  let page: string;
  /** The bundles of the page: as the guide has it, and with the condition. */
  let full: Bundle;
  let small: Bundle;

  const write = (files: Readonly<Record<string, string>>) => {
    for (const [file, text] of Object.entries(files)) {
      const path = join(project.folder, guide, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  };
  const build = async (): Promise<Bundle> => {
    await project.run("vite", ["build", guide]);
    return bundleIn(join(project.folder, guide, "dist"));
  };

  beforeAll(async () => {
    const [api, port] = [await freePort(), await freePort()];
    const files = guideFiles(guide, { ports: { 4310: api, 5173: port } });
    write(files);
    full = await build();
    const config = files[CONFIG] ?? "";
    const withCondition = config
      .replace("{ defineConfig }", "{ defaultClientConditions, defineConfig }")
      .replace(" });", ', resolve: { conditions: ["opstate-page", ...defaultClientConditions] } });');
    write({ [CONFIG]: withCondition });
    small = await build();
    // Both servers are started in one folder.
    write({ "server.ts": (files["server.ts"] ?? "").replace("board.sqlite", `${guide}.sqlite`) });
    const server = project.start("node", [join(guide, "server.ts")]);
    await server.printed(/^Serving /m);
    const preview = project.start("vite", [
      "preview",
      guide,
      "--host",
      "localhost",
      "--port",
      `${port}`,
      "--strictPort",
    ]);
    await preview.printed(/Local/);
    page = `http://localhost:${port}/`;
    people = await openBrowser();
  });
  afterAll(() => people?.close());

  it("is smaller with the condition", () => {
    console.log(`${guide}: ${full.bytes} bytes, with the condition ${small.bytes}`);
    expect([full.isFull, small.isFull]).toEqual([true, false]);
    expect(full.bytes - small.bytes).toBeGreaterThan(25_000);
  });

  it("is used by two people, and takes an edit back that the server refuses", async () => {
    const [ada, ben] = await Promise.all([people.visit(page), people.visit(`${page}?user=ben`)]);
    await Promise.all([live(ada.page), live(ben.page)]);
    for (const title of ["One", "Two"]) {
      await add(ada.page, title);
      await card(ben.page, title).waitFor();
    }
    await ada.context.setOffline(true);
    await says(ada.page, "Offline, 0 edits wait");
    await add(ada.page, "Mine");
    await says(ada.page, "Offline, 1 edits wait");
    await add(ben.page, "Theirs");
    await ada.context.setOffline(false);
    await says(ada.page, "Taken back: Three cards are open: finish one first");
    await card(ada.page, "Theirs").waitFor();
    expect(await card(ada.page, "Mine").count()).toBe(0);
    people.forget(/ERR_|status of 4\d\d/);
    expect(people.errors).toEqual([]);
  });
});

it("has right types in both guides", async () => {
  expect(await project.run("svelte-check", ["--output", "human", "--fail-on-warnings"])).toContain("0 errors");
});
