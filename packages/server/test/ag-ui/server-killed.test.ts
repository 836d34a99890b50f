// A server that is killed in the middle of a run: the run says how far it came, and goes on where
// it was, or is taken back.

import { ChatSession, memoryStorage, stoppedRun } from "@opstate/ag-ui";
import { sqliteStreams } from "@opstate/streams/sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { streamRuns } from "../../src/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { send } from "../support/server.ts";
import { ServerProcess } from "../support/processes/server-process.ts";

const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 10, timeout: 300_000 });
// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 900_000 });

const STOPPED = "The run was stopped after 3 of 6 steps: the server that ran it ended.";

/** A server in its own process, and a session that has sent it a message. It did half of it. */
async function killedInTheMiddle(agent = "robot") {
  const directory = mkdtempSync(join(tmpdir(), "opstate-runs-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [path, runs] = [join(directory, "log.sqlite"), join(directory, "runs.sqlite")];
  const server = new ServerProcess(
    { kind: "sqlite", path },
    { runs: [join(import.meta.dirname, "../support/processes/runs-server.ts"), runs] },
  );
  await server.start();
  onTestFinished(() => server.kill());
  const storage = memoryStorage();
  let id = 0;
  const open = () =>
    new ChatSession({
      url: `${server.url}/ag-ui/${agent}`,
      threadId: "launch",
      storage,
      mintId: () => `id${(id += 1)}`,
    });
  const session = open();
  void session.send("Plan it");
  await until(() => resultsOf(session) === 3);
  await stored(path, runs);
  await server.kill();
  await server.start();
  return { server, session, open };
}

const resultsOf = (session: ChatSession) => session.getState().messages.filter(({ role }) => role === "tool").length;

/** Resolves when the results are in the file: a page may have them before. */
async function stored(path: string, runs: string): Promise<void> {
  const [log, streams] = [sqliteLog({ path }), sqliteStreams({ path: runs })];
  const { incarnation = "" } = (await log.info("launch")) ?? {};
  await until(async () => {
    const [run] = await streamRuns(streams).load("launch", incarnation);
    return run?.events.filter((json) => json.includes("TOOL_CALL_RESULT")).length === 3;
  });
  await streams.close();
  await log.close();
}

async function cardsOn({ url }: ServerProcess): Promise<string[]> {
  const text = JSON.stringify((await send(`${url}/threads/launch`, "GET", undefined, {})).body);
  return [...text.matchAll(/"(id\d+-c\d)"/g)].map(([, card = ""]) => card).toSorted();
}

describe("a run whose server is killed", () => {
  it("says how far it came, and goes on where it was", async () => {
    const { server, session, open } = await killedInTheMiddle();
    await until(() => session.getState().phase === "error");
    expect(session.getState().error).toMatchObject({ code: "stopped", message: STOPPED });
    const stopped = { runId: "id2", steps: 3, calls: 6, continuable: true };
    expect(stoppedRun(session.getState())).toEqual(stopped);
    await session.saved();
    // A reload keeps the offer. Both windows go on with the one run.
    const reloaded = open();
    await reloaded.ready;
    expect(stoppedRun(reloaded.getState())).toEqual(stopped);
    const [one, other] = await Promise.all([session.continueRun(), reloaded.continueRun()]);
    for (const state of [one, other]) {
      expect(state).toMatchObject({ phase: "idle", warnings: [], run: { runId: "id2.2", parentRunId: "id2" } });
      expect(stoppedRun(state)).toBeUndefined();
      expect(state.messages.filter(({ role }) => role === "tool")).toHaveLength(6);
    }
    expect(await cardsOn(server)).toEqual([1, 2, 3, 4, 5, 6].map((index) => `id2-c${index}`));
    await expect(session.continueRun()).rejects.toThrow("nothing to continue");
  });

  it("is taken back by its id, and goes on only where its agent can", async () => {
    const { server, session } = await killedInTheMiddle("other");
    await until(() => session.getState().phase === "error");
    expect(stoppedRun(session.getState())).toMatchObject({ steps: 3, calls: 6, continuable: false });
    await expect(session.continueRun()).rejects.toThrow("cannot continue run id2");
    const request = (agent: string, continues: string) =>
      send(
        `${server.url}/ag-ui/${agent}?continues=${continues}`,
        "POST",
        { threadId: "launch", runId: "again", messages: [], tools: [], context: [] },
        {},
      );
    expect((await request("other", "id2")).body).toMatchObject({ code: "not_continuable", status: 409 });
    expect((await request("robot", "id2")).body).toMatchObject({ code: "not_continuable" });
    expect((await request("robot", "unknown")).body).toMatchObject({ code: "unknown_run", status: 404 });
    const undo = `${server.url}/threads/launch/undo`;
    expect((await send(undo, "POST", { target: { runId: "id2" } }, {})).body).toMatchObject({ accepted: true });
    expect(await cardsOn(server)).toEqual([]);
  });
});
