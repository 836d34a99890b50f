// The log is the truth: another process on it, and a server that is started again under a client.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteLog } from "@opstate/server/sqlite";
import { expect, it, onTestFinished } from "vitest";
import { board } from "./support/board.ts";
import { call, connect, start } from "./support/mcp.ts";

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), "opstate-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "board.sqlite");
}

async function serve(path: string, port = 0) {
  const log = sqliteLog({ path });
  const running = await start({ log, port });
  let isOpen = true;
  const stop = async () => {
    if (!isOpen) return;
    isOpen = false;
    await running.server.close();
    await log.close();
  };
  onTestFinished(stop);
  return { ...running, stop };
}

it("a person in another process and an agent work on one thread", async () => {
  const path = file();
  const { url, server } = await serve(path);
  await (await server.thread("launch", board)).close();
  const client = await connect(url);
  const told: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void told.push(params.uri));
  await client.listen({ resourceSubscriptions: ["opstate://threads/launch/state"] });
  await call(client, "board_add", { id: "T-1", title: "Mine" });

  const child = fork(join(import.meta.dirname, "support/second-process.ts"), [path, "launch"], {
    execArgv: ["--conditions=@opstate/source"],
  });
  const exit = once(child, "exit");
  onTestFinished(async () => {
    if (child.connected) child.send("end");
    await exit;
  });
  await once(child, "message");
  child.send({ type: "rename", index: 0, title: "Hers" });
  await once(child, "message");

  await expect.poll(() => told.length).toBeGreaterThanOrEqual(2);
  const { data } = await call(client, "board_add", { id: "T-2", title: "Mine too" });
  expect(data).toMatchObject({ status: "accepted", version: 3 });
  expect(data.changesByOthers).toContain("Hers");
});

it("a server that is started again goes on: one effect for one call, and news since the agent's own work", async () => {
  const path = file();
  const first = await serve(path);
  const port = Number(new URL(first.url).port);
  await (await first.server.thread("launch", board)).close();
  const client = await connect(first.url);
  const done = await call(client, "board_add", { id: "T-1", title: "x", callId: "c-1" });
  await first.stop();

  const second = await serve(path, port);
  const thread = await second.server.thread("launch", board);
  await thread.dispatch(board.op.rename({ index: 0, title: "Renamed meanwhile" }), {
    actor: { kind: "user", id: "ada" },
  });
  const again = await call(client, "board_add", { id: "T-1", title: "x", callId: "c-1" });
  expect(again.data).toMatchObject({ status: "accepted", commit: done.data.commit });
  expect(again.data.changesByOthers).toContain("Renamed meanwhile");
  expect(thread.version).toBe(2);
  await thread.close();
});
