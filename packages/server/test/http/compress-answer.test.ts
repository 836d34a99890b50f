// JSON answers on the wire. `fetch` would undo the coding.

import { type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { addCard } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { ada, createBoard, send, start } from "../support/server.ts";

function get(url: string, accepted?: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { ...ada, ...(accepted !== undefined && { "accept-encoding": accepted }) };
    const sent = httpRequest(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

const decode: Readonly<Record<string, (body: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

async function startWithCards(compress: boolean) {
  const { url } = await start({ compress });
  const thread = await createBoard(url);
  const cards = Array.from({ length: 50 }, (_, index) => ({ id: `c${index}`, operation: addCard(`c${index}`) }));
  await send(`${thread}/operations`, "POST", cards);
  return thread;
}

describe("with `compress`", () => {
  it.each([
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0.1, gzip", "gzip"],
    ["identity", undefined],
    ["br;q=0, gzip;q=0", undefined],
    [undefined, undefined],
  ])("a client that accepts %j gets %j", async (accepted, coding) => {
    const thread = await startWithCards(true);
    const { headers, body } = await get(`${thread}/history`, accepted);
    expect([headers["content-encoding"], headers.vary]).toEqual([coding, "accept-encoding"]);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    const plain = coding === undefined ? body : (decode[coding]?.(body) ?? body);
    expect(JSON.parse(plain.toString())).toHaveLength(50);
    if (coding !== undefined) expect(body.byteLength).toBeLessThan(plain.byteLength / 4);
  });

  it("small answers, problems and streams come through", async () => {
    const thread = await startWithCards(true);
    expect((await get(`${thread}-none`, "br")).headers["content-encoding"]).toBeUndefined();
    expect((await send(`${thread}-none`, "GET")).status).toBe(404);
    const events = await readEvents(`${thread}/events`);
    expect(events.response.headers.get("content-encoding")).toBeNull();
    expect(JSON.parse((await events.next()).data)).toMatchObject({ type: "welcome" });
    events.close();
  });
});

it("without it answers are as they were", async () => {
  const thread = await startWithCards(false);
  const { headers } = await get(`${thread}/history`, "br");
  expect([headers["content-encoding"], headers.vary]).toEqual([undefined, undefined]);
});
