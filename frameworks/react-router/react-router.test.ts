// React Router as a framework, as it is published, built for production and used in a browser.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { type BoardApp, boardAppTests, boardVisits, says } from "../harness/board-app.ts";
import { bundleTests } from "../harness/bundle-tests.ts";
import { createProject, type Project } from "../harness/project.ts";

let project: Project;
let app: BoardApp;

const TELL_REQUESTS = join(import.meta.dirname, "../harness/tell-requests.mjs");
const SERVE = "node_modules/@react-router/serve/dist/cli.js";

const build = async () => void (await project.run("react-router", ["build"], { NODE_ENV: "production" }));

async function start(): Promise<BoardApp> {
  const port = await freePort();
  const server = project.start("node", ["--import", TELL_REQUESTS, SERVE, "build/server/index.js"], {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: `${port}`,
  });
  await server.printed(/^\[react-router-serve\] /m);
  return { url: `http://127.0.0.1:${port}`, server };
}

beforeAll(async () => {
  project = await createProject({
    name: "react-router",
    from: ["app", "more"].map((part) => join(import.meta.dirname, part)),
  });
  await build();
  app = await start();
});
afterAll(() => project?.remove());

describe("React Router", () => {
  it("has right types", async () => {
    await project.run("react-router", ["typegen"]);
    expect(await project.run("tsc", [])).toBe("");
  });

  describe("as every application", () => boardAppTests(() => app));

  describe("with a lazy page under a boundary", () => {
    const { visit, renew, titles, people } = boardVisits(() => app);

    it.each(["late", "lazy"])("shows it, and holds one stream: /%s", async (path) => {
      await renew("launch");
      const { page, streams } = await visit(`/${path}/launch`, "ada");
      await says(page, "0 open");
      await says(page, "online");
      await page.getByRole("button", { name: "Add" }).click();
      await says(page, "1 open");
      await expect.poll(() => titles("launch")).toEqual(["Late"]);
      expect(streams).toEqual([["launch"]]);
      people().forget(/status of 500|error #419/);
      expect(people().errors).toEqual([]);
    });

    it("answers 200 where the browser alone renders the page, and 500 where an error ends its boundary", async () => {
      const statusOf = async (path: string) =>
        (await fetch(app.url + path, { headers: { cookie: "user=ada" } })).status;
      expect(await statusOf("/late/launch")).toBe(200);
      // So says React Router's own `entry.server`, whatever the error is.
      expect(await statusOf("/lazy/launch")).toBe(500);
    });

    it("gives its error to the boundary for errors", async () => {
      const { page, streams } = await visit("/late/nowhere", "ada");
      await page.getByRole("alert").getByText('There is no thread "nowhere".').waitFor();
      expect(streams).toEqual([["nowhere"]]);
      people().forget(/There is no thread|status of/);
      expect(people().errors).toEqual([]);
    });
  });

  bundleTests({ project: () => project, app: () => app, build, start, client: "build/client", server: "build/server" });
});
