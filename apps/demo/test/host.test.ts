// Each part gets its own requests, with paths of its own, and nobody else's names are answered.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createHost, fileAt, page, type Part } from "../src/host.ts";

const echo = (name: string): Part => ({
  fetch: async (request) =>
    new Response(`${name} ${request.method} ${new URL(request.url).pathname}${new URL(request.url).search}`),
});

const folder = mkdtempSync(join(tmpdir(), "opstate-host-"));
writeFileSync(join(folder, "index.html"), "<!doctype html><title>A page</title>");
writeFileSync(join(folder, "404.html"), "<!doctype html><title>No page here</title>");
afterAll(() => rmSync(folder, { recursive: true }));

const host = createHost({
  kanban: echo("kanban"),
  notFound: fileAt(folder, "404.html"),
  parts: { debate: echo("debate"), react: page(folder), agent: page(folder, { "connect-src": "'self' http: https:" }) },
});

const ask = (path: string, init?: RequestInit) => host.fetch(new Request(`http://127.0.0.1:4310${path}`, init));

describe("the host", () => {
  it.each([
    ["/debate/", "debate GET /"],
    ["/debate/api/debate/d1?after=2", "debate GET /api/debate/d1?after=2"],
    ["/", "kanban GET /"],
    ["/threads/demo", "kanban GET /threads/demo"],
    ["/api/info", "kanban GET /api/info"],
    ["/debaters", "kanban GET /debaters"],
  ])("gives %s to %s", async (path, answer) => expect(await (await ask(path)).text()).toBe(answer));

  it("gives every method and its body on", async () => {
    expect(await (await ask("/debate/api/debate", { method: "POST", body: "{}" })).text()).toBe(
      "debate POST /api/debate",
    );
    expect(await (await ask("/ag-ui/kanban", { method: "POST", body: "{}" })).text()).toBe("kanban POST /ag-ui/kanban");
  });

  it("leads an address without its slash to the one with it, for now only", async () => {
    const response = await ask("/agent?url=tour:");
    expect([response.status, response.headers.get("location")]).toEqual([302, "/agent/?url=tour:"]);
  });

  it.each(["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:4310"])(
    "does not answer as %s",
    async (name) => {
      for (const path of ["/", "/react/", "/agent/", "/debate/api/info", "/threads/demo"])
        expect((await ask(path, { headers: { host: name } })).status, path).toBe(403);
    },
  );

  it.each(["localhost:4310", "127.0.0.1", "[::1]:4310"])("answers as %s", async (name) => {
    expect((await ask("/react/", { headers: { host: name } })).status).toBe(200);
  });

  it("shows a browser the 404 page where there is none, and leaves other answers as they are", async () => {
    const browser = { headers: { accept: "text/html,*/*;q=0.8" } };
    for (const path of ["/react/missing", "/agent/no/such/page", "/react/missing.js"]) {
      const response = await ask(path, browser);
      expect([path, response.status, await response.text()]).toEqual([
        path,
        404,
        "<!doctype html><title>No page here</title>",
      ]);
      expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
      const program = await ask(path);
      expect([path, program.status, await program.text()]).toEqual([path, 404, "There is no such page."]);
    }
    expect((await ask("/react/", browser)).status).toBe(200);
  });

  it("gives each page the same policy, but for what its part says", async () => {
    const policyOf = async (path: string) => (await ask(path)).headers.get("content-security-policy") ?? "";
    const usual = await policyOf("/react/");
    expect(usual).toContain("connect-src 'self';");
    const sorted = (policy: string) => policy.split("; ").sort();
    expect(sorted(await policyOf("/agent/"))).toEqual(
      sorted(usual.replace("connect-src 'self';", "connect-src 'self' http: https:;")),
    );
  });
});
