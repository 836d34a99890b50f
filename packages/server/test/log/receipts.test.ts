// A server that knows ids for a time: over HTTP, on a page, through a remote thread, on each log.
// The clock of this process is moved forward; a worker of SQLite keeps the real one.
//
// Long because every way into a thread is tried after the same month.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@opstate/client";
import { remoteThread } from "@opstate/client/remote";
import { createReplica, memoryLog } from "@opstate/core";
import type { FullLog } from "@opstate/core/log";
import { Pool } from "pg";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { httpTransport } from "../../src/client/index.ts";
import { postgresLog } from "../../src/postgres/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { board } from "../support/board.ts";
import { cluster } from "../support/nodes/nodes.ts";
import { startPostgres } from "../support/postgres.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const KEEP = 7 * DAY;
const START = Date.now();
const receipts = { keep: KEEP };
const bob = asUser("bob", "read", "write", "approve");
const actor = { kind: "user", id: "ada" };

const postgres = startPostgres();
afterAll(() => postgres?.stop());

const card = (cardId: string) => ({ type: "addCard", columnId: "todo", cardId, title: cardId });
const past = (madeAt = START) => ({ id: "past", operation: card("past"), madeAt });

/** Puts the clock forward by a month, until the test ends. */
function monthPasses(): number {
  const now = Date.now() + 30 * DAY;
  vi.setSystemTime(now);
  onTestFinished(() => void vi.useRealTimers());
  return now;
}

/** Opens the same storage with each call. */
const storages: Readonly<Record<string, () => () => FullLog>> = {
  memory() {
    const log = memoryLog();
    return () => ({ ...log });
  },
  sqlite() {
    const directory = mkdtempSync(join(tmpdir(), "opstate-receipts-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return () => {
      const log = sqliteLog({ path: join(directory, "log.sqlite") });
      onTestFinished(() => log.close());
      return log;
    };
  },
  ...(postgres && {
    postgres() {
      const pool = new Pool(postgres.config);
      onTestFinished(() => pool.end());
      const schema = `receipts_${randomUUID().slice(0, 8)}`;
      return () => {
        const log = postgresLog({ pool, schema });
        onTestFinished(() => log.close());
        return log;
      };
    },
  }),
};

const floorOf = async (log: FullLog) => (await log.thread("launch").info())?.receiptFloor ?? 0;

/** What was done under the id "past" is forgotten: the server goes on a month later. */
async function monthLater(open: () => FullLog, options: Parameters<typeof start>[0] = {}) {
  const log = open();
  const running = await start({ log, receipts, ...options });
  const at = await createBoard(running.url);
  expect(await send(`${at}/operations`, "POST", past())).toMatchObject({ body: { accepted: true, version: 1 } });
  await send(`${at}/operations`, "POST", card("second"));
  const now = monthPasses();
  await send(`${at}/operations`, "POST", card("third"));
  await send(`${at}/operations`, "POST", card("fourth"));
  await expect.poll(() => floorOf(log)).toBe(1);
  return { ...running, at, log, now };
}

const titles = async (at: string) => {
  const { body } = await send(at, "GET");
  return body.state.columns[0].cards.map(({ title }: { title: string }) => title);
};

const tooOld = { status: 409, body: { code: "conflict", rejection: { reason: "too_old" } } };

describe.each(Object.keys(storages))("a server that keeps receipts for a week, on %s", (kind) => {
  it("never runs again what it forgot, also after a restart, and goes on with all that is new", async () => {
    const open = storages[kind]?.() ?? (() => memoryLog());
    const { at, now, server } = await monthLater(open);
    expect(await send(`${at}/operations`, "POST", past())).toMatchObject(tooOld);
    const made = (id: string) => ({ id, madeAt: now });
    const answers = [
      await send(`${at}/operations`, "POST", { operation: card("new"), ...made("new") }),
      await send(`${at}/undo`, "POST", { target: { ids: ["new"] }, ...made("undo") }),
      await send(`${at}/proposals`, "POST", { operation: card("proposed"), ...made("proposal") }),
      await send(`${at}/proposals/proposal/approve`, "POST", made("approval"), bob),
      await send(`${at}/proposals`, "POST", { operation: card("no"), ...made("other proposal") }),
      await send(`${at}/proposals/other%20proposal/decline`, "POST", made("decision"), bob),
      await send(`${at}/operations`, "POST", [{ operation: card("in a list"), ...made("list") }]),
      await send(`${at.replace(/threads.*/, "")}operations`, "POST", [
        { thread: "launch", operation: card("beside others"), ...made("joint") },
      ]),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const shown = await titles(at);
    expect(shown).toEqual(["past", "second", "third", "fourth", "proposed", "in a list", "beside others"]);
    await server.close();

    const again = await start({ log: open(), receipts });
    const there = `${again.url}/threads/launch`;
    expect(await send(`${there}/operations`, "POST", past())).toMatchObject(tooOld);
    expect(await send(`${there}/operations`, "POST", { operation: card("new"), ...made("new") })).toMatchObject({
      body: { accepted: true, version: 5 },
    });
    expect(await titles(there)).toEqual(shown);
  });
});

describe("the time of a submission over HTTP", () => {
  it.each([-1, 1.5, "now", null])("is whole milliseconds, not %j", async (madeAt) => {
    const { url } = await start();
    const at = await createBoard(url);
    for (const [path, body] of [
      ["operations", { operation: card("a"), madeAt }],
      ["undo", { target: { ids: ["a"] }, madeAt }],
      ["proposals", { operation: card("a"), madeAt }],
    ] as const)
      expect(await send(`${at}/${path}`, "POST", body)).toMatchObject({
        status: 400,
        body: { code: "invalid_body", detail: expect.stringContaining('"madeAt"') },
      });
  });

  it("is named where an id of one's own comes without it", async () => {
    const { at } = await monthLater(() => memoryLog());
    const answer = await send(`${at}/operations`, "POST", { operation: card("a"), id: "mine" });
    expect(answer).toMatchObject({ ...tooOld, body: { detail: expect.stringContaining('"madeAt"') } });
    expect(await send(`${at}/operations`, "POST", card("a"))).toMatchObject({ status: 200 });
  });

  it("is refused once it is older than what is kept, whatever the log still has", async () => {
    const { url } = await start({ receipts });
    const at = await createBoard(url);
    for (const body of [past(START - KEEP), { ...past(START - KEEP), id: undefined }])
      expect(await send(`${at}/operations`, "POST", body)).toMatchObject(tooOld);
    expect(await send(`${at}/operations`, "POST", past(START - KEEP + 2 * HOUR))).toMatchObject({ status: 200 });
  });
});

describe("a page, where the server forgot", () => {
  it("edits, takes back, proposes and decides", async () => {
    const { url } = await monthLater(() => memoryLog());
    const client = createClient({ url, headers: ada });
    onTestFinished(() => client.close());
    const page = client.thread(board, "launch");
    onTestFinished(page.subscribe(() => undefined));
    await page.ready();
    expect(await page.dispatch(board.op.addCard(card("page")))).toMatchObject({ accepted: true });
    expect(await page.undo("last", { id: "undo" })).toMatchObject({ accepted: true });
    const proposed = await page.proposals.propose(board.op.addCard(card("proposed")), { id: "proposal" });
    expect(proposed).toMatchObject({ accepted: true });
    const decided = await page.proposals.decline("proposal", { id: "late", madeAt: START });
    expect(decided).toMatchObject({ accepted: false, rejection: { reason: "too_old" } });
    expect(await page.proposals.decline("proposal", { id: "decision" })).toMatchObject({ accepted: true });
  });

  it("sends what waited over a reload with the time at which it was made", async () => {
    const { url, at, now } = await monthLater(() => memoryLog());
    const waited = (name: string, time: number) => ({
      id: name,
      operation: card(name),
      at: new Date(time).toISOString(),
    });
    const replica = createReplica({
      definition: board,
      transport: httpTransport({ url, threadId: "launch", headers: ada }),
      pending: [waited("a month", START), waited("a day", now - DAY)],
    });
    onTestFinished(() => replica.close());
    const left = () => replica.sync.getState().pending.length;
    await expect.poll(left).toBe(0);
    expect(replica.sync.getState().rejections).toMatchObject([
      { id: "a month", verdict: { rejection: { reason: "too_old" } } },
    ]);
    expect(await titles(at)).toEqual(["past", "second", "third", "fourth", "a day"]);
  });

  it("sends an edit whose request was lost again with its first time", async () => {
    const { url, at, now } = await monthLater(() => memoryLog());
    const times: unknown[] = [];
    const client = createClient({
      url,
      headers: ada,
      async fetch(input, init) {
        const request = new Request(input, init);
        if (!request.url.endsWith("/operations")) return fetch(request);
        const body: { submissions: readonly { madeAt?: number }[] } = await request.clone().json();
        times.push(...body.submissions.map(({ madeAt }) => madeAt));
        if (times.length > 1) return fetch(request);
        vi.setSystemTime(now + HOUR);
        throw new TypeError("The request was lost.");
      },
    });
    onTestFinished(() => client.close());
    const page = client.thread(board, "launch");
    onTestFinished(page.subscribe(() => undefined));
    await page.ready();
    expect(await page.dispatch(board.op.addCard(card("once")))).toMatchObject({ accepted: true });
    expect(times).toEqual([now, now]);
    expect(await titles(at)).toEqual(["past", "second", "third", "fourth", "once"]);
  });
});

describe("a remote thread, where the server forgot", () => {
  it("does everything under ids that it draws, also where an id is left undefined", async () => {
    const { url } = await monthLater(() => memoryLog());
    const thread = await remoteThread({ url, headers: ada, definition: board, threadId: "launch" });
    onTestFinished(() => thread.close());
    const unnamed = { actor, id: undefined } as unknown as { actor: typeof actor };
    const { accepted, commit } = (await thread.dispatch(board.op.addCard(card("remote")), unnamed)) as {
      accepted: boolean;
      commit?: { id: string };
    };
    expect(accepted).toBe(true);
    expect(commit?.id).toMatch(/^[0-9a-f]{32}$/);
    const verdicts = [
      await thread.undo({ ids: [commit?.id ?? ""] }, unnamed),
      await thread.propose(board.op.addCard(card("proposed")), { actor, id: "proposal" }),
      await thread.decline("proposal", { actor, id: "decision" }),
    ];
    expect(verdicts.map((verdict) => verdict.accepted)).toEqual([true, true, true]);
    expect(await thread.dispatch(board.op.addCard(card("past")), { actor, id: "past", madeAt: START })).toMatchObject({
      accepted: false,
      rejection: { reason: "too_old" },
    });
  });
});

describe.skipIf(!postgres)("an owner that forgot, to which another server forwards", () => {
  it("takes what is new, and refuses what is old", async () => {
    const nodes = cluster(postgres?.config);
    const [owner, other] = [await nodes.start({ receipts }), await nodes.start({ receipts })];
    await createBoard(owner.url);
    await nodes.give("launch", owner);
    const at = `${other.url}/threads/launch`;
    await send(`${at}/operations`, "POST", past());
    await send(`${at}/operations`, "POST", card("second"));
    monthPasses();
    await send(`${at}/operations`, "POST", card("third"));
    await expect.poll(() => floorOf(owner.log)).toBe(1);
    const { length } = owner.forwarded;
    const answers = [
      await send(`${at}/operations`, "POST", { operation: card("unnamed") }),
      await send(`${at}/operations`, "POST", { operation: card("named"), id: "named", madeAt: Date.now() }),
      await send(`${at}/undo`, "POST", { target: { ids: ["named"] } }),
      await send(`${at}/proposals`, "POST", { operation: card("proposed"), id: "proposal", madeAt: Date.now() }),
      await send(`${at}/proposals/proposal/approve`, "POST", {}, bob),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(owner.forwarded.length).toBeGreaterThan(length);
    expect(await send(`${at}/operations`, "POST", past())).toMatchObject(tooOld);
    expect(await titles(at)).toEqual(["past", "second", "third", "unnamed", "proposed"]);
  });
});
