// One request holds up nobody for long: of each large one, the longest turn of the event loop is
// looked at, in CPU time. The benchmark section `stalls` shows the same with clients beside it.

import { defineState, memoryLog, openThread, type Log, type Thread } from "@opstate/core";
import type { Entry } from "@opstate/core/log";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createServer, type Server } from "../src/index.ts";
import { sqliteLog } from "../src/sqlite/index.ts";
import { asUser, authorize } from "./support/server.ts";
import { longestTurn } from "./support/longest-turn.ts";

/** Milliseconds of CPU time. What took turns of 0.3 to 100 seconds takes 5 to 30 now. */
const MOST = 100;
const KEYS = 20_000;

const ledger = defineState({
  name: "ledger",
  freeze: "development",
  schema: z.object({
    text: z.string(),
    entries: z.record(z.string(), z.string()),
    cards: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
  initial: { text: "", entries: {}, cards: [] },
  operations: {
    put: {
      input: z.object({ key: z.string(), value: z.string() }),
      apply(draft, { key, value }) {
        draft.entries[key] = value;
      },
    },
    write: {
      input: z.object({ text: z.string() }),
      apply(draft, { text }) {
        draft.text = text;
      },
    },
    rename: {
      input: z.object({ id: z.string(), title: z.string() }),
      apply(draft, { id, title }) {
        const card = draft.cards.find((candidate) => candidate.id === id);
        if (card) card.title = title;
      },
    },
  },
});

const ada = { kind: "user", id: "ada" };
const rights = asUser("ada", "read", "write", "undo", "approve", "admin");
const agents = { none: { run: async function* () {}, definition: "ledger" } };

let log: Log;
let server: Server;
beforeEach(() => {
  log = sqliteLog({ path: ":memory:" });
  server = createServer({ definitions: [ledger], log, authorize, agents, onError: () => undefined });
  onTestFinished(async () => {
    await server.close();
    await log.close();
  });
});

async function request(method: string, path: string, body?: string, headers: Record<string, string> = rights) {
  const response = await server.fetch(
    new Request(`http://x${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body }),
    }),
  );
  return { status: response.status, text: await response.text() };
}

/** Its longest turn, and its answer. */
async function turnOf(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  // Code that is compiled for the first time is not what is looked at.
  await request("GET", "/threads/big");
  let answer = { status: 0, text: "" };
  const turn = await longestTurn(async () => void (answer = await request(method, path, text, headers)));
  return { turn, ...answer };
}

const thread = (): Promise<Thread<typeof ledger>> => openThread({ definition: ledger, log, threadId: "big" });
const put = (n: number) => ledger.op.put({ key: `key-${n * 7}`, value: `new ${n}` });

async function largeRecord() {
  const entries = Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`key-${n}`, `value ${n}`]));
  await (await thread()).dispatch({ ...ledger.initial, entries }, { actor: { kind: "system", id: "seed" } });
}

async function edits(on: Thread<typeof ledger>, count: number) {
  const cards = Array.from({ length: 200 }, (_, n) => ({ id: `card-${n}`, title: "Card" }));
  await on.dispatch({ ...ledger.initial, cards }, { actor: { kind: "system", id: "seed" } });
  for (let from = 0; from < count; from += 250)
    await Promise.all(
      Array.from({ length: 250 }, (_, n) =>
        on.dispatch(ledger.op.rename({ id: `card-${(from + n) % 200}`, title: `Title ${from + n}` }), {
          actor: ada,
          ...(n % 10 === 0 ? {} : { runId: "run" }),
        }),
      ),
    );
}

describe("the longest turn", () => {
  it("of 256 operations on a record of 20,000 keys", async () => {
    await largeRecord();
    const operations = Array.from({ length: 256 }, (_, n) => put(n));
    const { turn, status } = await turnOf("POST", "/threads/big/operations", operations);
    expect(status).toBe(200);
    expect(turn).toBeLessThan(MOST);
  });

  it("of the diff of a branch of 2,000 edits", async () => {
    const branch = await (await thread()).branch();
    await edits(branch, 2_000);
    const { turn, text } = await turnOf("GET", `/threads/big/branches/${branch.threadId}/diff`);
    expect(JSON.parse(text)).toHaveLength(2_001);
    expect(turn).toBeLessThan(MOST);
  });

  it("of the undo of a run of 2,000 operations", async () => {
    await edits(await thread(), 2_000);
    const { turn, status } = await turnOf("POST", "/threads/big/undo", { target: { runId: "run" } });
    expect(status).toBe(200);
    expect(turn).toBeLessThan(MOST);
  });

  it("of `explain` over 20,000 commits", async () => {
    await thread();
    const at = new Date(0).toISOString();
    for (let from = 0; from < 20_000; from += 1_000)
      await log.append(
        "big",
        from,
        Array.from({ length: 1_000 }, (_, n): Entry => {
          const version = from + n + 1;
          const patches = [{ op: "replace" as const, path: "/text", value: `${version}` }];
          const inverse = [{ op: "replace" as const, path: "/text", value: `${version - 1}` }];
          const id = `id-${version}`;
          const operation = { type: "write", text: `${version}` };
          return {
            receipt: { actor: ada, id, hash: "0-0", outcome: { accepted: true, version } },
            commit: { version, id, operation, actor: ada, at, patches, inverse, definitionVersion: 1 },
          };
        }),
      );
    const { turn, text } = await turnOf("GET", "/threads/big/explain?pointer=/cards");
    expect(text).toBe("null");
    expect(turn).toBeLessThan(MOST);
  });

  it("of a history of large commits, whose pages end early", async () => {
    const on = await thread();
    for (let n = 0; n < 60; n++)
      await on.dispatch(ledger.op.write({ text: `${n}${"x".repeat(200_000)}` }), { actor: ada });
    const { turn, text } = await turnOf("GET", "/threads/big/history?limit=1000");
    expect(text.length).toBeLessThan(2_500_000);
    expect(turn).toBeLessThan(MOST);
    const versions: number[] = [];
    for (let after = 0, last = -1; last !== after;) {
      last = after;
      const page = JSON.parse((await request("GET", `/threads/big/history?limit=1000&after=${after}`)).text);
      for (const { commit } of page) versions.push(commit.version);
      after = versions.at(-1) ?? 0;
    }
    expect(versions).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
  });

  it.each([
    ["by a sender without any right", asUser("eve"), 403],
    ["by a sender who may run agents", rights, 400],
  ])("of 7 MB of bad messages to an agent, %s", async (_, headers, status) => {
    await thread();
    const messages = Array.from({ length: 70_000 }, (__, n) => ({
      id: `m${n}`,
      role: "nobody",
      content: "x".repeat(60),
    }));
    const body = { threadId: "big", runId: "r", messages, tools: [], context: [], state: {}, forwardedProps: {} };
    const answer = await turnOf("POST", "/ag-ui/none", body, headers);
    expect(answer.status).toBe(status);
    expect(answer.turn).toBeLessThan(MOST);
  });

  it("of the list of 20,000 threads, by a sender without any right", async () => {
    const store = memoryLog();
    await Promise.all(
      Array.from({ length: 20_000 }, (_, n) =>
        store.create({ threadId: `t${n}`, definition: "ledger", definitionVersion: 1, state: ledger.initial, at: "" }),
      ),
    );
    log = store;
    server = createServer({ definitions: [ledger], log, authorize });
    const { turn, text } = await turnOf("GET", "/threads?limit=1000", undefined, asUser("eve"));
    expect(text).toBe("[]");
    expect(turn).toBeLessThan(MOST);
  });
});
