// `server.revoke` and `expiresAt`: who is asked again, in which process, and what a page is told.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@opstate/client";
import { type Log, memoryLog } from "@opstate/core";
import { Pool } from "pg";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Access, Right } from "../../src/index.ts";
import { postgresLog } from "../../src/postgres/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { addCard, board } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { follow, openJoint } from "../support/joint.ts";
import { as } from "../support/rights/owners.ts";
import { dropSchemas, startPostgres } from "../support/postgres.ts";
import { send, start } from "../support/server.ts";

const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 5, timeout: 60_000 });
const user = (id: string) => ({ kind: "user", id });

/** What the application says. Several servers may ask it. */
function application() {
  const says = {
    asked: [] as string[],
    /** As "user thread right". */
    denied: new Set<string>(),
    unknown: new Set<string>(),
    /** What was asked, as in `denied`. */
    checked: new Set<string>(),
    expiresAt: undefined as Date | undefined,
  };
  const authorize = (request: Request): Access | null => {
    const id = request.headers.get("authorization") ?? "";
    says.asked.push(id);
    if (id === "" || says.unknown.has(id)) return null;
    const { expiresAt } = says;
    return {
      actor: user(id),
      allows(threadId: string, right: Right) {
        says.checked.add(`${id} ${threadId} ${right}`);
        return !says.denied.has(`${id} ${threadId} ${right}`);
      },
      ...(expiresAt !== undefined && id === "ada" && { expiresAt }),
    };
  };
  return { says, authorize };
}

async function serve(log: Log = memoryLog(), app = application()) {
  // What ends is ended by what a test does, not by the next look.
  const running = await start({ log, authorize: app.authorize, recheckSeconds: 86_400 });
  const at = (id: string) => `${running.url}/threads/${id}`;
  const create = (id: string) => send(at(id), "PUT", { definition: "board" }, as("root"));
  const post = (id: string, cardId: string) => send(`${at(id)}/operations`, "POST", addCard(cardId), as("root"));
  return { ...running, ...app, at, create, post };
}

describe("revoke", () => {
  it("checks those that it concerns, and no others", async () => {
    const { says, server, at, create } = await serve();
    for (const id of ["a", "b"]) await create(id);
    for (const [name, id] of [
      ["ada", "a"],
      ["bob", "a"],
      ["bob", "b"],
      ["eve", "b"],
    ] as const)
      await (await readEvents(`${at(id)}/events`, as(name))).until(0);
    const askedBy = async (whom: Parameters<typeof server.revoke>[0], count: number) => {
      says.asked = [];
      await server.revoke(whom);
      await until(() => says.asked.length >= count);
      return says.asked.toSorted();
    };
    expect(await askedBy({ actor: user("bob") }, 2)).toEqual(["bob", "bob"]);
    expect(await askedBy({ threadId: "a" }, 2)).toEqual(["ada", "bob"]);
    expect(await askedBy({ actor: user("bob"), threadId: "b" }, 1)).toEqual(["bob"]);
    expect(await askedBy({ actor: { kind: "agent", id: "bob" } }, 0)).toEqual([]);
    expect(await askedBy({}, 4)).toEqual(["ada", "bob", "bob", "eve"]);
  });

  it("of a thread ends the readers of its branches too", async () => {
    const { says, server, at, create, url } = await serve();
    await create("a");
    await send(`${at("a")}/branches`, "POST", { name: "x" }, as("root"));
    const branch = await readEvents(`${at("a~x")}/events`, as("ada"));
    const joint = await openJoint(url, follow(["a~x"]), as("ada"));
    await branch.until(0);
    await joint.of("snapshot");
    says.denied.add("ada a read");
    await server.revoke({ threadId: "a" });
    await branch.ended();
    expect(branch.text()).toContain("not_allowed");
    expect(await joint.of("problem")).toMatchObject({ thread: "a~x", code: "not_allowed" });
  });

  it("ends a reader whose request was under way", async () => {
    const { log, between } = slowInfo();
    const { says, server, at, create } = await serve(log);
    await create("a");
    await send(`${at("a")}/branches`, "POST", { name: "x" }, as("root"));
    between.run = async () => {
      // The request was allowed, and its thread is looked up.
      if (!says.checked.has("ada a read")) return;
      between.run = async () => {};
      says.denied.add("ada a read");
      await server.revoke({ actor: user("ada") });
    };
    const events = await readEvents(`${at("a~x")}/events`, as("ada"));
    expect(events.response.status).toBe(200);
    await events.ended();
    expect(events.text()).toContain("not_allowed");
  });

  it("ends a thread that a stream is just beginning to follow", async () => {
    const { log, between } = slowInfo();
    const { says, server, url, create } = await serve(log);
    for (const id of ["a", "b"]) await create(id);
    const joint = await openJoint(url, follow(["a"]), as("ada"));
    await joint.of("snapshot", "a");
    between.run = async () => {
      between.run = async () => {};
      says.denied.add("ada b read");
      await server.revoke({ threadId: "b" });
    };
    await send(`${url}/events/${joint.stream}`, "POST", { follow: { b: {} } }, as("ada"));
    expect(await joint.of("problem")).toMatchObject({ thread: "b", code: "not_allowed" });
  });

  it("is no thread of the list, and none that a request can name", async () => {
    const { server, url, create } = await serve();
    await create("a");
    await server.revoke();
    const listed = await send(`${url}/threads`, "GET", undefined, as("root"));
    expect(listed.body.map(({ threadId }: { threadId: string }) => threadId)).toEqual(["a"]);
    for (const path of ["opstate revocations", "opstate%20revocations", "opstate+revocations"])
      expect((await send(`${url}/threads/${path}`, "GET", undefined, as("root"))).status).not.toBe(200);
    await expect(server.thread("opstate revocations")).rejects.toMatchObject({ code: "definition_mismatch" });
  });

  it("keeps the newest revocations, however many there were", async () => {
    const log = memoryLog();
    const { server } = await serve(log);
    for (let count = 0; count < 1_300; count += 1) await server.revoke({ threadId: `t${count}` });
    const info = await log.info("opstate revocations");
    expect(info?.version).toBe(1_300);
    expect((info?.version ?? 0) - (info?.floor ?? 0)).toBeLessThan(1_300);
    expect((info?.receiptFloor ?? 0) > 0).toBe(true);
  });

  it("refuses what is no actor and no thread, and a server that is closed", async () => {
    const { server } = await serve();
    await expect(server.revoke({ actor: { kind: "user", id: "\ud83d" } })).rejects.toMatchObject({
      code: "invalid_id",
    });
    await expect(server.revoke({ threadId: "" })).rejects.toMatchObject({ code: "invalid_id" });
    await server.close();
    await expect(server.revoke()).rejects.toMatchObject({ code: "closed" });
  });

  it("rejects when the log cannot keep it, and checks here all the same", async () => {
    const log = memoryLog();
    const broken: Log = { ...log, append: () => Promise.reject(new Error("the disk is full")) };
    const { says, server, at, create } = await serve(broken);
    await create("a");
    const events = await readEvents(`${at("a")}/events`, as("ada"));
    await events.until(0);
    says.denied.add("ada a read");
    await expect(server.revoke({ threadId: "a" })).rejects.toThrow("the disk is full");
    await events.ended();
  });
});

/** A log on which something happens between two of its answers. */
function slowInfo() {
  const log = memoryLog();
  const between = { run: async () => {} };
  const slow: Log = {
    ...log,
    async info(threadId) {
      const info = await log.info(threadId);
      if (threadId !== "opstate revocations") await between.run();
      return info;
    },
  };
  return { log: slow, between };
}

const postgres = startPostgres();
const pool = new Pool({ ...postgres?.config, max: 8 });
const schemas = new Set<string>();

afterAll(async () => {
  if (postgres) await dropSchemas(pool, schemas);
  await pool.end();
  await postgres?.stop();
});

function closing<L extends Log>(log: L): L {
  onTestFinished(() => log.close());
  return log;
}

const storages: Readonly<Record<string, () => readonly [Log, Log]>> = {
  "one log in memory": () => {
    const log = closing(memoryLog());
    return [log, log];
  },
  "a SQLite file": () => {
    const directory = mkdtempSync(join(tmpdir(), "opstate-revoke-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const open = () => closing(sqliteLog({ path: join(directory, "log.sqlite") }));
    return [open(), open()];
  },
  ...(postgres && {
    Postgres: () => {
      const schema = `opstate_test_${randomUUID().slice(0, 13).replace("-", "_")}`;
      schemas.add(schema);
      const open = () => closing(postgresLog({ pool, schema }));
      return [open(), open()];
    },
    "Postgres without notifications": () => {
      const schema = `opstate_test_${randomUUID().slice(0, 13).replace("-", "_")}`;
      schemas.add(schema);
      const open = () => closing(postgresLog({ pool, schema, doorbell: false, pollInterval: 50 }));
      return [open(), open()];
    },
  }),
};

describe.each(Object.entries(storages))("two servers on %s", (_name, open) => {
  it("each end what the other revokes, the first time and later, and no one else's", { timeout: 240_000 }, async () => {
    const [first, second] = open();
    const app = application();
    const [here, there] = [await serve(first, app), await serve(second, app)];
    await here.create("a");
    for (const [version, name] of ["ada", "eve"].entries()) {
      const [gone, stays] = [
        await readEvents(`${there.at("a")}/events`, as(name)),
        await readEvents(`${there.at("a")}/events`, as("bob")),
      ];
      await gone.until(version);
      await stays.until(version);
      app.says.denied.add(`${name} a read`);
      await here.server.revoke({ actor: user(name) });
      await gone.ended();
      expect(gone.text()).toContain("not_allowed");
      await here.post("a", `after ${name}`);
      await stays.until(version + 1);
      expect(gone.text()).not.toContain(`after ${name}`);
      stays.close();
      await stays.ended();
    }
  });

  it("see at the next reader what was revoked while they had none", { timeout: 240_000 }, async () => {
    const [first, second] = open();
    const app = application();
    const [here, there] = [await serve(first, app), await serve(second, app)];
    await here.create("a");
    await here.server.revoke({ actor: user("nobody") });
    app.says.asked = [];
    const events = await readEvents(`${there.at("a")}/events`, as("ada"));
    await until(() => app.says.asked.length === 2);
    app.says.denied.add("ada a read");
    await here.server.revoke({ actor: user("ada") });
    await events.ended();
  });
});

describe("credentials that expire", () => {
  it("end what is open at that moment, and are refused from then on", async () => {
    const { says, at, create, url } = await serve();
    await create("a");
    says.expiresAt = new Date(Date.now() + 1_500);
    const events = await readEvents(`${at("a")}/events`, as("ada"));
    const joint = await openJoint(url, follow(["a"]), as("ada"));
    await events.ended();
    await joint.ended();
    expect(Date.now()).toBeGreaterThanOrEqual(says.expiresAt.getTime());
    for (const { text } of [events, joint]) expect(text()).toContain('"code":"unauthenticated"');
    expect(await send(at("a"), "GET", undefined, as("ada"))).toMatchObject({
      status: 401,
      body: { code: "unauthenticated", detail: "The credentials have expired." },
    });
  });

  it("must be given as a Date", async () => {
    for (const expiresAt of [1_700_000_000, "2030-01-01", new Date(Number.NaN)]) {
      const { url, errors } = await start({
        // As JavaScript callers without types may write it.
        authorize: () => ({ actor: user("x"), allows: () => true, expiresAt: expiresAt as Date }),
      });
      expect((await send(`${url}/threads`, "GET")).status).toBe(500);
      expect(String(errors)).toContain("must be a Date");
    }
  });
});

describe("recheckSeconds", () => {
  it("is from 1 second to a day", async () => {
    for (const recheckSeconds of [0, 0.5, -1, Number.NaN, Infinity, 86_401])
      await expect(start({ recheckSeconds })).rejects.toThrow("from 1 to 86400");
  });

  it("is how long a right that was removed without a call is still used at most", async () => {
    const app = application();
    const { url } = await start({ authorize: app.authorize, recheckSeconds: 1 });
    await send(`${url}/threads/a`, "PUT", { definition: "board" }, as("root"));
    const events = await readEvents(`${url}/threads/a/events`, as("ada"));
    await events.until(0);
    app.says.denied.add("ada a read");
    await events.ended();
    expect(events.text()).toContain("not_allowed");
  });
});

describe("a page", () => {
  it.each([
    ["forbidden", (says: ReturnType<typeof application>["says"]) => says.denied.add("ada a read")],
    ["unauthenticated", (says: ReturnType<typeof application>["says"]) => says.unknown.add("ada")],
  ] as const)("that is %s stays so and sends no request, until a retry", async (status, take) => {
    const { says, server, url, create, post } = await serve();
    await create("a");
    const client = createClient({ url, headers: as("ada") });
    onTestFinished(() => client.close());
    const thread = client.thread(board, "a");
    onTestFinished(thread.subscribe(() => {}));
    await thread.ready();
    take(says);
    await server.revoke({ actor: user("ada") });
    await until(() => thread.sync.getState().status === status);
    const asked = says.asked.filter((name) => name === "ada").length;
    await post("a", "after");
    // In the time in which a client that is only offline has tried three times.
    let tries = 0;
    const offline = createClient({
      url,
      fetch: async () => {
        tries += 1;
        throw new TypeError("Failed to fetch");
      },
    });
    onTestFinished(() => offline.close());
    onTestFinished(offline.thread(board, "a").subscribe(() => {}));
    await until(() => tries >= 3);
    expect(says.asked.filter((name) => name === "ada")).toHaveLength(asked);
    expect(JSON.stringify(thread.getState())).not.toContain("after");
    says.denied.clear();
    says.unknown.clear();
    client.retry();
    await until(() => JSON.stringify(thread.getState()).includes("after"));
  });
});
