import { createReplica, memoryLog, openThread, threadTransport } from "@opstate/core";
import { board, describe as inWords, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { createFeed } from "../src/feed/feed.ts";
import { narrate } from "../src/feed/narrate.ts";

const ada = { kind: "user", id: "ada" };
const agent = { kind: "agent", id: "agent" };

async function openBoard() {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "demo" });
  await thread.dispatch({ type: "$replace", value: sampleBoard }, { actor: { kind: "system", id: "demo" } });
  const source = {
    reads: 0,
    snapshot: async () => ({ version: thread.version, state: thread.getState() }),
    history: async (after: number) => {
      source.reads += 1;
      return thread.history({ after, rejections: true });
    },
  };
  return { thread, source };
}

/** Operations that make each other true, false and misleading: what is in Done now was in Backlog then. */
const script = [
  board.op.move({ cardId: "T-42", toColumn: "in-progress" }),
  board.op.move({ cardId: "T-42", toColumn: "done", position: 0 }),
  board.op.renameColumn({ columnId: "in-progress", title: "Doing" }),
  board.op.move({ cardId: "T-15", toColumn: "nowhere" }),
  board.op.remove({ cardId: "T-15" }),
  board.op.move({ cardId: "T-15", toColumn: "done" }),
  board.op.addCard({ columnId: "backlog", title: "New" }),
  board.op.editCard({ cardId: "T-1", priority: 4 }),
] as const;

describe("narrate", () => {
  it("tells each operation with the board as it was before it", async () => {
    const { thread, source } = await openBoard();
    const expected: string[] = ["Replace the board: 4 columns, 13 cards"];
    for (const operation of script) {
      expected.push(inWords(operation, thread.getState()));
      await thread.dispatch(operation, { actor: agent });
    }
    const entries = narrate(await source.history(0), await source.snapshot());
    expect(entries.map(({ sentence }) => sentence)).toEqual(expected);
    expect(entries[2]?.sentence).toContain("In Progress -> Done");
    expect(entries.filter(({ accepted }) => !accepted).map(({ reason }) => reason)).toEqual([
      expect.stringContaining("nowhere"),
      expect.stringContaining("T-15"),
    ]);
  });

  it("knows the cards of an operation, also those that it does not name", async () => {
    const { thread, source } = await openBoard();
    for (const operation of script) await thread.dispatch(operation, { actor: agent });
    const entries = narrate(await source.history(1), await source.snapshot());
    const cardsOf = (type: string) => entries.find(({ sentence }) => sentence.startsWith(type))?.cardIds;
    expect(cardsOf("Add")).toEqual(["T-43"]);
    expect(cardsOf("Change T-1")).toEqual(["T-1"]);
  });
});

describe("the feed", () => {
  it("is the same read live and read after a reload", async () => {
    const { thread, source } = await openBoard();
    const open = () => createFeed(createReplica({ definition: board, transport: threadTransport(thread, { actor: ada }) }), source);
    const live = open();
    await expect.poll(() => live.getState().status).toBe("ready");
    for (const operation of script) await thread.dispatch(operation, { actor: agent });
    const reloaded = open();
    await expect.poll(() => reloaded.getState().status).toBe("ready");
    const shown = (feed: typeof live) => feed.getState().entries.map(({ sentence, reason, version }) => `${version} ${sentence} ${reason}`);
    expect(shown(live)).toHaveLength(script.length + 1);
    expect(shown(live).toSorted()).toEqual(shown(reloaded).toSorted());
    expect(live.getState().touches.get("T-42")?.actor).toEqual(agent);
    live.close();
    reloaded.close();
  });

  it("shows what came while the history was read, once", async () => {
    const { thread, source } = await openBoard();
    let answer = () => {};
    let ask = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const asked = new Promise<void>((resolve) => (ask = resolve));
    const slow = {
      ...source,
      async history(after: number) {
        ask();
        await answered;
        return source.history(after);
      },
    };
    const feed = createFeed(createReplica({ definition: board, transport: threadTransport(thread, { actor: ada }) }), slow);
    await thread.dispatch(script[0], { actor: agent });
    await asked;
    await thread.dispatch(script[1], { actor: agent });
    answer();
    await expect.poll(() => feed.getState().status).toBe("ready");
    await expect.poll(() => feed.getState().entries.map(({ version }) => version)).toEqual([1, 2, 3]);
    feed.close();
  });

  it("shows a refusal that was heard while the history was read, in its place and once", async () => {
    const { thread, source } = await openBoard();
    const impossible = board.op.remove({ cardId: "T-999" });
    let reads = 0;
    const slow = {
      ...source,
      async history(after: number) {
        const early = reads++ === 0 ? await source.history(after) : undefined;
        await thread.dispatch(impossible, { actor: agent });
        await thread.dispatch(script[0], { actor: agent });
        return early ?? source.history(after);
      },
    };
    const replica = createReplica({ definition: board, transport: threadTransport(thread, { actor: ada }) });
    const shown = () => feed.getState().entries.map(({ version, accepted }) => `${version} ${accepted}`);
    const feed = createFeed(replica, slow);
    await expect.poll(shown).toEqual(["1 true", "1 false", "2 true"]);
    feed.close();
    const late = createFeed(replica, {
      ...slow,
      history: async (after) => (await thread.dispatch(impossible, { actor: ada }), source.history(after)),
    });
    await thread.dispatch(script[1], { actor: agent });
    await expect.poll(() => late.getState().entries.filter(({ actor }) => actor.id === "ada")).toHaveLength(1);
    late.close();
    replica.close();
  });

  it("says that the log cannot be reached, and reads it when it can", async () => {
    const { thread, source } = await openBoard();
    let reachable = false;
    const replica = createReplica({ definition: board, transport: threadTransport(thread, { actor: ada }) });
    const feed = createFeed(replica, { ...source, snapshot: () => (reachable ? source.snapshot() : Promise.reject(new Error("offline"))) });
    await expect.poll(() => feed.getState().status).toBe("unreachable");
    reachable = true;
    await thread.dispatch(script[0], { actor: agent });
    await expect.poll(() => feed.getState().status).toBe("ready");
    expect(feed.getState().entries.map(({ version }) => version)).toEqual([1, 2]);
    feed.close();
  });
});
