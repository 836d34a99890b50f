// Following one thread, where the test decides when its reader has room.

import { memoryLog, openThread, type Thread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { commitFrame } from "../../src/threads/frames.ts";
import { ServedThread } from "../../src/threads/served-thread.ts";
import { ThreadFollower } from "../../src/threads/thread-follower.ts";
import { addCard, board } from "../support/board.ts";

const actor = { kind: "user", id: "ada" };

async function following(commits: number, after?: number, readHead?: (thread: Thread) => Promise<void>) {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "launch" });
  const add = async (count: number) => {
    for (let index = 0; index < count; index += 1) await thread.dispatch(addCard(`c${thread.version + 1}`), { actor });
  };
  await add(commits);
  const served = new ServedThread(thread, undefined, thread, () => readHead?.(thread) ?? Promise.resolve());
  const reader = { room: Infinity, sent: [] as string[], isConnected: true };
  let calls = 0;
  const follower = new ThreadFollower({
    served,
    actor,
    after,
    reader: {
      hasRoom: () => reader.sent.length < reader.room,
      drained: async () => true,
      send({ json }) {
        const { type, commits: [commit] = [], participants } = JSON.parse(new TextDecoder().decode(json));
        reader.sent.push(commit ? `${commit.version}` : participants ? `presence ${participants.length}` : type);
      },
      disconnect: () => (reader.isConnected = false),
    },
    onBehind: () => (calls += 1),
    onEnd: () => reader.sent.push("end"),
  });
  const live = async () => {
    while (follower.isBehind) await follower.catchUp();
  };
  return { thread, served, reader, follower, add, live, calls: () => calls };
}

const commitsOf = async (thread: Thread) =>
  (await thread.history()).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));

describe("a follower", () => {
  it("sends what fits in a turn, and the rest in the next ones, once each", async () => {
    const { reader, follower, live } = await following(5, 0);
    reader.room = 3;
    await follower.catchUp();
    expect(reader.sent).toEqual(["welcome", "1", "2"]);
    await follower.catchUp();
    expect(reader.sent).toHaveLength(3);
    reader.room = Infinity;
    await live();
    expect(reader.sent).toEqual(["welcome", "1", "2", "3", "4", "5"]);
    expect(follower.isBehind).toBe(false);
  });

  it("sends nothing older than what its reader has, when the process is behind the log", async () => {
    const { reader, follower, live } = await following(2, 3, async (thread) => {
      await thread.dispatch(addCard("c3"), { actor });
      await thread.dispatch(addCard("c4"), { actor });
    });
    await live();
    expect(reader.sent).toEqual(["welcome", "4"]);
    expect(follower.position).toBe(4);
  });

  it("sends nothing while the log cannot be read up to what its reader has", async () => {
    const { reader, follower } = await following(2, 3, () => Promise.reject(new Error("The log is away.")));
    await expect(follower.catchUp()).rejects.toThrow("away");
    expect(reader.sent).toEqual(["welcome"]);
  });

  it("sends a snapshot when the log ends below what its reader has", async () => {
    const { reader, follower, live } = await following(2, 3);
    await live();
    expect([reader.sent, follower.position]).toEqual([["welcome", "snapshot"], 2]);
  });

  it("goes back to the log when commits between were never announced", async () => {
    const { thread, reader, follower, live, calls } = await following(1);
    await live();
    // As when another process made commits and compacted them.
    const [commit] = await commitsOf(thread);
    if (commit) follower.onCommit(9, commitFrame("launch", { ...commit, version: 9 }));
    expect([reader.sent, follower.isBehind, calls()]).toEqual([["welcome", "snapshot"], true, 1]);
    await live();
    await thread.dispatch(addCard("c2"), { actor });
    expect([reader.isConnected, reader.sent]).toEqual([true, ["welcome", "snapshot", "2"]]);
  });

  it("disconnects a live reader without room, and sends it no later commit", async () => {
    const { reader, live, add } = await following(1);
    await live();
    reader.room = reader.sent.length;
    await add(2);
    expect([reader.isConnected, reader.sent]).toEqual([false, ["welcome", "snapshot"]]);
  });

  it("sends who is here as soon as there is room again", async () => {
    const { served, reader, follower, live, calls } = await following(1);
    await live();
    reader.room = reader.sent.length;
    served.presence.show({ session: "p", actor });
    expect([reader.sent.at(-1), follower.isBehind, calls()]).toEqual(["snapshot", true, 1]);
    reader.room = Infinity;
    await live();
    expect(reader.sent.at(-1)).toBe("presence 1");
    expect(reader.isConnected).toBe(true);
  });

  it("ends once, and sends nothing more", async () => {
    const { served, reader, follower, live, thread } = await following(1);
    await live();
    served.end();
    served.end();
    await thread.dispatch(addCard("late"), { actor });
    expect(reader.sent).toEqual(["welcome", "snapshot", "end"]);
    expect(follower.isBehind).toBe(false);
  });
});
