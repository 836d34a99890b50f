// Reads at one node of what was acknowledged by another.

import { afterAll, describe, expect, it } from "vitest";
import { cluster } from "../support/nodes/nodes.ts";
import { startPostgres } from "../support/postgres.ts";
import { createBoard, send, start } from "../support/server.ts";

const postgres = startPostgres();
afterAll(() => postgres?.stop());

const card = (cardId: string) => ({ type: "addCard", columnId: "todo", cardId, title: cardId });

describe("a read", () => {
  it.skipIf(!postgres)("at another node shows what was acknowledged before it, each of 200 times", async () => {
    const nodes = cluster(postgres?.config);
    const [one, two] = [await nodes.start(), await nodes.start()];
    await createBoard(one.url);
    // Both have it open, and are told of commits when they are told.
    for (const { url } of [one, two]) await send(`${url}/threads/launch`, "GET");
    let stale = 0;
    for (let round = 1; round <= 200; round += 1) {
      const [writer, reader] = round % 2 === 0 ? [one, two] : [two, one];
      const { body } = await send(`${writer.url}/threads/launch/operations`, "POST", card(`${round}`));
      const read = await send(`${reader.url}/threads/launch`, "GET");
      expect(read.status).toBe(200);
      if (read.body.version < body.version) stale += 1;
    }
    expect(stale).toBe(0);
    const history = await fetch(`${two.url}/threads/launch/history?limit=1000`, {
      headers: { authorization: "user ada read" },
    });
    expect(history.headers.get("opstate-version")).toBe("200");
    expect(await history.json()).toHaveLength(200);
  });

  it("says its version, and is refused for one that there is not", async () => {
    const { url } = await start();
    const at = await createBoard(url);
    await send(`${at}/operations`, "POST", card("a"));
    const response = await fetch(`${at}?minVersion=1`, { headers: { authorization: "user ada read" } });
    expect([response.status, response.headers.get("opstate-version")]).toEqual([200, "1"]);
    expect(await send(`${at}?minVersion=2`, "GET")).toMatchObject({ status: 404, body: { code: "unknown_version" } });
    for (const wrong of ["-1", "x", "1.5", "1e3"])
      expect(await send(`${at}?minVersion=${wrong}`, "GET")).toMatchObject({
        status: 400,
        body: { code: "invalid_query" },
      });
  });

  it.skipIf(!postgres)("of servers that own no threads waits for `minVersion`, where it is given", async () => {
    const { postgresLog } = await import("../../src/postgres/index.ts");
    const nodes = cluster(postgres?.config);
    // Nothing tells them of each other's commits.
    const open = () =>
      postgresLog({ pool: nodes.pool, schema: nodes.schema, doorbell: false, pollInterval: 3_600_000 });
    const [one, two] = [await start({ log: open() }), await start({ log: open() })];
    await createBoard(one.url);
    await send(`${two.url}/threads/launch`, "GET");
    await send(`${one.url}/threads/launch/operations`, "POST", card("a"));
    expect((await send(`${two.url}/threads/launch?minVersion=1`, "GET")).body).toMatchObject({ version: 1 });
  });
});
