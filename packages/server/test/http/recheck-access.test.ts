// An open stream ends, when it asks again, if its reader has lost the right to read, and says why.

import { createReplica, type Log, memoryLog } from "@opstate/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { httpTransport } from "../../src/client/index.ts";
import type { Access, Agent, Right } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { as, owners } from "../support/rights/owners.ts";
import { runInput } from "../support/rights/routes.ts";
import { send, start } from "../support/server.ts";

const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 5, timeout: 60_000 });

/** Ada's thread, where the test decides what the application says about her. */
async function withAda(log: Log = memoryLog(), run: Agent = async function* () {}) {
  const all: readonly Right[] = ["read", "write", "undo", "approve", "admin"];
  const says = {
    asked: 0,
    rights: new Set<Right>(all),
    actor: { kind: "user", id: "ada" } as Access["actor"] | null,
    answer: async () => {},
  };
  const running = await start({
    log,
    agents: { robot: { definition: "board", run } },
    async authorize(request) {
      // The actor who writes at the same time.
      if (request.headers.get("authorization") === "root")
        return { actor: { kind: "user", id: "root" }, allows: () => true };
      says.asked += 1;
      await says.answer();
      return (
        says.actor && {
          actor: says.actor,
          allows: (threadId, right) => threadId === "launch" && says.rights.has(right),
        }
      );
    },
  });
  const thread = `${running.url}/threads/launch`;
  await send(thread, "PUT", { definition: "board" }, as("root"));
  const askAgain = () => running.server.revoke({ threadId: "launch" });
  const post = (cardId: string) => send(`${thread}/operations`, "POST", addCard(cardId), as("root"));
  const startRun = (headers: Record<string, string> = {}) =>
    fetch(`${running.url}/ag-ui/robot`, {
      method: "POST",
      headers: { ...as("ada"), "content-type": "application/json", ...headers },
      body: JSON.stringify(runInput("launch")),
    });
  return { ...running, thread, post, says, startRun, askAgain };
}

/** The problem that a stream ended with. */
const problemOf = (text: string) => JSON.parse(/event: problem\ndata: (.*)\n\n$/.exec(text)?.[1] ?? "null");

describe("a reader of events", () => {
  const changes: Record<
    string,
    readonly [change: (says: Awaited<ReturnType<typeof withAda>>["says"]) => unknown, status: number, code: string]
  > = {
    "whose right to read was removed": [(says) => says.rights.delete("read"), 403, "not_allowed"],
    "whose credentials have expired": [(says) => (says.actor = null), 401, "unauthenticated"],
    "whose credentials are another's now": [
      (says) => (says.actor = { kind: "user", id: "bob" }),
      401,
      "unauthenticated",
    ],
  };

  it.each(Object.entries(changes))(
    "%s is sent away, and gets nothing of what comes then",
    async (_name, [change, status, code]) => {
      const { thread, post, says, errors, askAgain } = await withAda();
      const events = await readEvents(`${thread}/events`, as("ada"));
      await events.until(0);
      await post("before");
      await events.until(1);
      change(says);
      await askAgain();
      await events.ended();
      await post("after");
      expect(problemOf(events.text())).toMatchObject({
        status,
        code,
        title: expect.any(String),
        detail: expect.any(String),
      });
      expect(events.text()).not.toContain('"after"');
      expect(errors).toEqual([]);
    },
  );

  it("that still may read stays, and is checked once each time", async () => {
    const { thread, post, says, askAgain } = await withAda();
    const events = await readEvents(`${thread}/events`, as("ada"));
    await events.until(0);
    for (let beat = 1; beat <= 4; beat += 1) {
      const before = says.asked;
      await askAgain();
      await until(() => says.asked > before);
      await post(`c${beat}`);
      await events.until(beat);
      expect(says.asked).toBe(before + 1);
    }
  });

  it("needs only the right to read", async () => {
    const { thread, post, says, askAgain } = await withAda();
    const events = await readEvents(`${thread}/events`, as("ada"));
    for (const right of ["write", "undo", "approve", "admin"] as const) says.rights.delete(right);
    const before = says.asked;
    await askAgain();
    await until(() => says.asked > before);
    await post("c1");
    await events.until(1);
  });

  it("stays when one check fails, and not when two in a row do", async () => {
    const { thread, post, says, errors, askAgain } = await withAda();
    const events = await readEvents(`${thread}/events`, as("ada"));
    await events.until(0);
    const fail = () => Promise.reject(new Error("the directory is down"));
    for (const answer of [fail, async () => {}, fail]) {
      const before = [says.asked, errors.length];
      says.answer = answer;
      await askAgain();
      await until(() => says.asked > (before[0] ?? 0) && (answer !== fail || errors.length > (before[1] ?? 0)));
      await post("c1");
    }
    expect(errors).toHaveLength(2);
    await events.until(1);
    await askAgain();
    await events.ended();
    expect(problemOf(events.text())).toMatchObject({ status: 500, code: "failure" });
    expect(events.text()).not.toContain("directory");
  });

  it("that is behind gets nothing of its backlog", async () => {
    const { thread, post, says, server, askAgain } = await withAda();
    const response = await server.fetch(new Request(`${thread}/events`, { headers: as("ada") }));
    const reader = response.body?.getReader();
    await post("c1");
    // More than 256 KB in two frames. The next commit would disconnect it anyway.
    for (const note of ["1", "2"])
      await send(
        `${thread}/operations`,
        "POST",
        board.op.annotate({ cardId: "c1", note: note.repeat(60_000) }),
        as("root"),
      );
    let isCut = false;
    reader?.closed.catch(() => (isCut = true));
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(isCut).toBe(false);
    says.rights.delete("read");
    await askAgain();
    await until(() => isCut);
  });

  it("is disconnected also when another host serves `fetch`", async () => {
    const { thread, says, server, askAgain } = await withAda();
    const response = await server.fetch(new Request(`${thread}/events`, { headers: as("ada") }));
    says.rights.delete("read");
    await askAgain();
    expect(problemOf(await response.text())).toMatchObject({ code: "not_allowed" });
  });

  it("of a branch is disconnected when its parent is deleted, and of a thread when another one has its name", async () => {
    const log = memoryLog();
    const names = owners();
    names.give("launch", "ada");
    const { url, server } = await start({ log, authorize: names.authorize });
    const thread = `${url}/threads/launch`;
    await send(thread, "PUT", { definition: "board" }, as("ada"));
    await send(`${thread}/branches`, "POST", { name: "b" }, as("ada"));
    names.give("launch~b", "ada");
    const [main, branch] = [
      await readEvents(`${thread}/events`, as("ada")),
      await readEvents(`${thread}~b/events`, as("ada")),
    ];
    await main.until(0);
    await branch.until(0);
    // By another process, and this log announces nothing.
    await log.delete("launch");
    await log.create({ threadId: "launch", definition: "board", definitionVersion: 1, state: board.initial, at: "" });
    await server.revoke();
    await branch.ended();
    await main.ended();
    expect(await send(`${thread}~b`, "GET", undefined, as("ada"))).toMatchObject({ status: 404 });
  });
});

describe("a page", () => {
  it("knows that it may no longer read, and shows nothing newer", async () => {
    const { url, post, says, askAgain } = await withAda();
    const transport = httpTransport({ url, threadId: "launch", headers: as("ada") });
    const replica = createReplica({ definition: board, transport });
    onTestFinished(() => replica.close());
    await replica.ready();
    says.rights.delete("read");
    await askAgain();
    await until(() => replica.sync.getState().status === "forbidden");
    await post("after");
    expect(JSON.stringify(replica.getState())).not.toContain("after");
  });
});

describe("a run", () => {
  /** An agent that works until its signal aborts. */
  function untilStopped() {
    const runs: { stopped: boolean }[] = [];
    const agent: Agent = async function* ({ signal }) {
      const run = { stopped: false };
      runs.push(run);
      yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", role: "assistant", delta: "Working." };
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      run.stopped = true;
    };
    return { agent, runs };
  }

  it.each(["read", "write"] as const)("stops when its actor has lost the right to %s", async (right) => {
    const { agent, runs } = untilStopped();
    const { says, startRun, askAgain } = await withAda(memoryLog(), agent);
    const response = await startRun();
    await until(() => runs.length === 1);
    says.rights.delete(right);
    await askAgain();
    const text = await response.text();
    const last = JSON.parse(
      text
        .trim()
        .split("\n")
        .at(-1)
        ?.replace(/^data: /, "") ?? "",
    );
    expect(last).toMatchObject({
      type: "RUN_ERROR",
      code: "not_allowed",
      message: expect.stringContaining(`"${right}"`),
    });
    await until(() => runs[0]?.stopped);
  });

  it("in the queue does not begin without its rights, and the next one does", async () => {
    const { agent, runs } = untilStopped();
    const { says, startRun, askAgain } = await withAda(memoryLog(), agent);
    const aborter = new AbortController();
    const first = await startRun();
    const second = await startRun();
    await until(() => runs.length === 1);
    says.rights.delete("write");
    await askAgain();
    expect(await first.text()).toContain("not_allowed");
    expect(await second.text()).toContain("not_allowed");
    says.rights.add("write");
    const third = await startRun();
    await until(() => runs.length === 2);
    expect(runs.map(({ stopped }) => stopped)).toEqual([true, false]);
    aborter.abort();
    await third.body?.cancel();
  });

  it("in the binary form ends as well", async () => {
    const { agent, runs } = untilStopped();
    const { says, startRun, askAgain } = await withAda(memoryLog(), agent);
    const response = await startRun({ accept: "application/vnd.ag-ui.event+proto" });
    expect(response.headers.get("content-type")).toBe("application/vnd.ag-ui.event+proto");
    await until(() => runs.length === 1);
    says.rights.delete("write");
    await askAgain();
    expect(Buffer.from(await response.arrayBuffer()).toString("latin1")).toContain("not_allowed");
    await until(() => runs[0]?.stopped);
  });
});
