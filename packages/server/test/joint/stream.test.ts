// One stream for many threads.

import { memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { addCard, board } from "../support/board.ts";
import { follow, openJoint } from "../support/joint.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const post = (thread: string, body: unknown) => send(`${thread}/operations`, "POST", body);

async function withBoards(...ids: string[]) {
  const running = await start();
  for (const id of ids) await createBoard(running.url, id);
  return { ...running, at: (id: string) => `${running.url}/threads/${id}` };
}

describe("a stream of many threads", () => {
  it("says first how it is called, and which actor it is for", async () => {
    const { url } = await withBoards();
    const response = await fetch(`${url}/events`, {
      method: "POST",
      headers: { ...ada, "content-type": "application/json" },
      body: '{"threads":{}}',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toMatch(/^retry: \d+\n\n/);
  });

  it("has fifty threads, each with its own welcome, snapshot and commits", async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `t${index}`);
    const { url, at } = await withBoards(...ids);
    const events = await openJoint(url, follow(ids));
    const begun = new Map<string, string[]>(ids.map((id) => [id, []]));
    for (let count = 0; count < 100; count += 1) {
      const { thread, type } = await events.message();
      begun.get(thread)?.push(type);
    }
    expect([...begun.values()]).toEqual(ids.map(() => ["welcome", "snapshot"]));
    for (const id of ids) {
      await post(at(id), addCard("c1"));
      expect(await events.message()).toMatchObject({ thread: id, type: "commits", commits: [{ version: 1 }] });
    }
  });
});
