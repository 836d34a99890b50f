// The demo's files over real HTTP, as clients that take this or that get them.

import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { chooseModel, createApp } from "@opstate/kanban-server";
import { type HttpServer, listen } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHost, fileAt, page } from "../src/host.ts";

const folder = mkdtempSync(join(tmpdir(), "opstate-compressed-"));
const script = Array.from({ length: 2_000 }, (_, index) => `console.log("line ${index}");`).join("\n");
const html = `<!doctype html><title>A page</title>${"<p>Text</p>".repeat(200)}`;
let http: HttpServer;
let close: () => Promise<void>;

beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), html);
  writeFileSync(join(folder, "assets", "index-1.js"), script);
  writeFileSync(join(folder, "assets", "small-1.js"), "1;");
  writeFileSync(join(folder, "assets", "font-1.woff2"), randomBytes(4_000));
  const log = sqliteLog({ path: join(folder, "demo.sqlite") });
  const kanban = await createApp({ log, model: await chooseModel({}), site: folder });
  const host = createHost({ kanban, notFound: fileAt(folder, "index.html"), parts: { react: page(folder) } });
  http = await listen((request, connection) => host.fetch(request, connection));
  close = async () => {
    const closed = http.close();
    await kanban.close();
    await closed;
    await log.close();
  };
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** As it is on the wire: `fetch` would undo the coding. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(http.url + path, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

const decode: Readonly<Record<string, (body: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

it.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0.5, gzip;q=0.9", "gzip"],
  ["br;q=0, gzip;q=0, *", undefined],
  ["*", "br"],
  ["BR", "br"],
  ["identity, br;q=0.5", undefined],
  ["deflate", undefined],
  // As Hono reads it: a weight that is no number is none.
  ["br;q=nonsense", "br"],
  ["", undefined],
  ["identity;q=0", undefined],
  [undefined, undefined],
])("a client that accepts %j gets %j", async (accepted, coding) => {
  for (const path of ["/react/assets/index-1.js", "/assets/index-1.js"]) {
    const { status, headers, body } = await ask(path, accepted === undefined ? {} : { "accept-encoding": accepted });
    expect([status, headers["content-encoding"]], path).toEqual([200, coding]);
    expect(headers.vary, path).toBe("Accept-Encoding");
    expect(headers["content-length"], path).toBe(String(body.byteLength));
    expect(headers["content-type"], path).toBe("text/javascript; charset=utf-8");
    expect(headers["cache-control"], path).toBe("public, max-age=31536000, immutable");
    expect((coding === undefined ? body : decode[coding]?.(body))?.toString(), path).toBe(script);
    if (coding !== undefined) expect(body.byteLength, path).toBeLessThan(script.length / 4);
  }
});

it("a compressed page has its policy", async () => {
  const first = await ask("/react/", { "accept-encoding": "br" });
  expect(first.headers).toMatchObject({
    "content-encoding": "br",
    "cache-control": "no-cache",
    vary: "Accept-Encoding",
  });
  expect(first.headers["content-security-policy"]).toContain("script-src 'self'");
  expect(brotliDecompressSync(first.body).toString()).toBe(html);
});

it("a page is not sent again to a client that has it", async () => {
  const { etag = "" } = (await ask("/react/", { "accept-encoding": "br" })).headers;
  for (const known of [etag, `"other", W/${etag}`, "*"]) {
    const again = await ask("/react/", { "accept-encoding": "br", "if-none-match": known });
    expect([again.status, again.body.byteLength, again.headers.etag]).toEqual([304, 0, etag]);
    expect(again.headers).toMatchObject({ vary: "Accept-Encoding", "cache-control": "no-cache" });
    expect(again.headers["content-security-policy"]).toContain("script-src 'self'");
  }
});

it("each coding of a page has its own ETag", async () => {
  const { etag = "" } = (await ask("/react/", { "accept-encoding": "br" })).headers;
  const plain = await ask("/react/", { "if-none-match": etag });
  expect([plain.status, plain.body.toString()]).toEqual([200, html]);
  expect(plain.headers.etag).not.toBe(etag);
  expect((await ask("/react/", { "accept-encoding": "gzip" })).headers.etag).not.toBe(etag);
});

it("a page that was built again is sent again", async () => {
  const { etag = "" } = (await ask("/react/", { "accept-encoding": "br" })).headers;
  writeFileSync(join(folder, "index.html"), html.replace("A page", "B page"));
  const built = await ask("/react/", { "accept-encoding": "br", "if-none-match": etag });
  expect([built.status, brotliDecompressSync(built.body).toString()]).toEqual([200, expect.stringContaining("B page")]);
});

it("HEAD has the headers of GET and no body", async () => {
  for (const accepted of ["br", "identity"]) {
    const got = await ask("/react/assets/index-1.js", { "accept-encoding": accepted });
    const head = await ask("/react/assets/index-1.js", { "accept-encoding": accepted }, "HEAD");
    expect([head.status, head.body.byteLength]).toEqual([200, 0]);
    for (const name of ["content-encoding", "vary", "etag", "content-type", "cache-control"] as const)
      expect(head.headers[name], name).toBe(got.headers[name]);
  }
});

it("what does not gain by it is sent as it is", async () => {
  for (const path of ["/react/assets/small-1.js", "/react/assets/font-1.woff2"]) {
    const { headers } = await ask(path, { "accept-encoding": "br" });
    expect([headers["content-encoding"], headers.vary], path).toEqual([undefined, undefined]);
    expect((await ask(path, { "accept-encoding": "br", "if-none-match": String(headers.etag) })).status, path).toBe(
      304,
    );
  }
  const missing = await ask("/react/assets/none-1.js", { "accept-encoding": "br" });
  expect([missing.status, missing.headers["content-encoding"]]).toEqual([404, undefined]);
});

it("a stream is never compressed", async () => {
  const response = await fetch(`${http.url}/threads/demo/events`, { headers: { "accept-encoding": "br, gzip" } });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(response.headers.get("content-encoding")).toBeNull();
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).not.toBe("");
  await reader?.cancel();
});
