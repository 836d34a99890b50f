import { createReplica, type HistoryEntry, memoryLog, openThread, threadTransport } from "@opstate/core";
import { createHistoryFeed } from "../../src/history/history-feed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ada, robot, tally } from "../tally.ts";
import { gate, turn } from "../gated.ts";

const nothing = () => undefined;
const add = (by: number) => ({ type: "add", by }) as const;

async function started(count = 0) {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  const act = (by: number) => thread.dispatch(add(by), { actor: by % 2 ? robot : ada });
  for (let by = 1; by <= count; by++) await act(by);
  return { thread, act };
}

function names(entries: readonly HistoryEntry<unknown>[]): string[] {
  return entries.map((entry) => (entry.kind === "commit" ? `v${entry.commit.version}` : `not ${entry.refusal.id}`));
}

describe("history feed", () => {
  it("loads the newest page with its first subscriber, then shows new commits", async () => {
    const { thread, act } = await started(5);
    const feed = createHistoryFeed(thread, { pageSize: 3 });
    await turn();
    expect(feed.getState()).toEqual({ entries: [], hasOlder: false, loading: true });
    feed.subscribe(nothing);
    await turn();
    expect(names(feed.getState().entries)).toEqual(["v5", "v4", "v3"]);
    expect(feed.getState()).toMatchObject({ hasOlder: true, loading: false });
    await act(6);
    expect(names(feed.getState().entries)).toEqual(["v6", "v5", "v4", "v3"]);
  });

  it("loads older pages back to the beginning", async () => {
    const { thread } = await started(7);
    const feed = createHistoryFeed(thread, { pageSize: 3 });
    feed.subscribe(nothing);
    await turn();
    await feed.older();
    expect(feed.getState().hasOlder).toBe(true);
    await feed.older();
    expect(names(feed.getState().entries)).toEqual(["v7", "v6", "v5", "v4", "v3", "v2", "v1"]);
    expect(feed.getState().hasOlder).toBe(false);
    await feed.older();
    expect(feed.getState().entries).toHaveLength(7);
  });

  it("shows refusals in their place on request", async () => {
    const { thread, act } = await started(1);
    const refused = await thread.dispatch(add(101), { actor: ada, id: "old" });
    expect(refused.accepted).toBe(false);
    const feed = createHistoryFeed(thread, { rejections: true });
    const commitsOnly = createHistoryFeed(thread);
    feed.subscribe(nothing);
    commitsOnly.subscribe(nothing);
    await turn();
    await thread.dispatch(add(102), { actor: ada, id: "new" });
    await act(2);
    expect(names(feed.getState().entries)).toEqual(["v2", "not new", "not old", "v1"]);
    expect(names(commitsOnly.getState().entries)).toEqual(["v2", "v1"]);
  });

  it("listens to its thread once, while it has subscribers", async () => {
    const { thread } = await started(2);
    let listeners = 0;
    const counted = {
      history: thread.history,
      onCommit(listener: Parameters<typeof thread.onCommit>[0]) {
        const end = thread.onCommit(listener);
        listeners += 1;
        return () => {
          listeners -= 1;
          end();
        };
      },
    };
    const feed = createHistoryFeed(counted, { pageSize: 10 });
    const ends = [feed.subscribe(nothing), feed.subscribe(nothing)];
    expect(listeners).toBe(1);
    await turn();
    for (const end of ends) end();
    await turn();
    expect(listeners).toBe(0);
  });

  it("catches up with what it missed when it is subscribed to again", async () => {
    const { thread, act } = await started(2);
    const feed = createHistoryFeed(thread, { pageSize: 10 });
    const end = feed.subscribe(nothing);
    await turn();
    end();
    await turn();
    await act(3);
    expect(names(feed.getState().entries)).toEqual(["v2", "v1"]);
    feed.subscribe(nothing);
    await turn();
    expect(names(feed.getState().entries)).toEqual(["v3", "v2", "v1"]);
  });

  it("begins again with the newest page when it missed more than one page", async () => {
    const { thread, act } = await started(2);
    const feed = createHistoryFeed(thread, { pageSize: 2 });
    feed.subscribe(nothing)();
    await turn();
    for (const by of [3, 4, 5, 6]) await act(by);
    feed.subscribe(nothing);
    await turn();
    expect(names(feed.getState().entries)).toEqual(["v6", "v5"]);
    expect(feed.getState().hasOlder).toBe(true);
  });

  async function withoutNetwork() {
    const { thread, act } = await started(2);
    const network = { isDown: true };
    const source = {
      onCommit: thread.onCommit,
      async history(range: Parameters<typeof thread.history>[0]) {
        if (network.isDown) throw new Error("no network");
        return thread.history(range);
      },
    };
    const feed = createHistoryFeed(source, { pageSize: 5 });
    feed.subscribe(nothing);
    await turn();
    return { act, network, feed };
  }

  it("shows the error when a page could not be read", async () => {
    const { feed } = await withoutNetwork();
    expect(feed.getState()).toMatchObject({ loading: false, error: new Error("no network") });
    await feed.older();
    expect(feed.getState().error).toBeInstanceOf(Error);
  });

  it("reads a page that failed again with the next commit", async () => {
    const { act, network, feed } = await withoutNetwork();
    network.isDown = false;
    await act(3);
    await turn();
    expect(feed.getState()).toEqual({ entries: expect.any(Array), hasOlder: false, loading: false });
    expect(names(feed.getState().entries)).toEqual(["v3", "v2", "v1"]);
  });

  it("reads again after a lost connection", async () => {
    const { thread, act } = await started(1);
    let status: (status: "online" | "offline") => void = nothing;
    let open = true;
    const inner = threadTransport(thread, { actor: ada });
    const replica = createReplica({
      definition: tally,
      transport: {
        connect(options) {
          status = options.onStatus;
          return inner.connect({ ...options, onMessage: (message) => open && options.onMessage(message) });
        },
      },
    });
    const feed = createHistoryFeed({ ...replica, history: thread.history }, { rejections: true });
    feed.subscribe(nothing);
    await turn();
    open = false;
    status("offline");
    await act(2);
    await thread.dispatch(add(101), { actor: robot, id: "x" });
    await turn();
    expect(names(feed.getState().entries)).toEqual(["v1"]);
    open = true;
    status("online");
    await turn();
    expect(names(feed.getState().entries)).toEqual(["not x", "v2", "v1"]);
  });

  it("shows no more new entries than its limit", async () => {
    const { thread, act } = await started(10);
    const feed = createHistoryFeed(thread, { pageSize: 4, limit: 4 });
    feed.subscribe(nothing);
    await turn();
    await act(11);
    expect(names(feed.getState().entries)).toEqual(["v11", "v10", "v9", "v8"]);
    expect(feed.getState().hasOlder).toBe(true);
  });

  it("ends at the floor of a compacted log", async () => {
    const { thread } = await started(11);
    const feed = createHistoryFeed(thread, { pageSize: 4, limit: 4 });
    feed.subscribe(nothing);
    await turn();
    await thread.compact({ keep: 5 });
    await feed.older();
    expect(names(feed.getState().entries)).toEqual(["v11", "v10", "v9", "v8", "v7"]);
    await feed.older();
    expect(feed.getState()).toMatchObject({ hasOlder: false, loading: false });
  });

  it("is empty until the next commit when all commits were compacted", async () => {
    const { thread, act } = await started(11);
    await thread.compact({ keep: 0 });
    const feed = createHistoryFeed(thread, { pageSize: 4 });
    feed.subscribe(nothing);
    await turn();
    expect(feed.getState()).toMatchObject({ entries: [], loading: false });
    await act(12);
    await turn();
    expect(names(feed.getState().entries)).toEqual(["v12"]);
  });

  it("shows a refusal with its own page when the newest page does not go back to it", async () => {
    const { thread, act } = await started(1);
    const refusals: Parameters<Parameters<typeof thread.onRejection>[0]>[0][] = [];
    thread.onRejection((refusal) => refusals.push(refusal));
    await thread.dispatch(add(101), { actor: ada, id: "r" });
    for (const by of [2, 3, 4]) await act(by);
    let announce: (refusal: (typeof refusals)[0]) => void = nothing;
    const source = {
      history: thread.history,
      onCommit: thread.onCommit,
      onRejection: (listener: typeof announce) => ((announce = listener), nothing),
    };
    const feed = createHistoryFeed(source, { pageSize: 2, rejections: true });
    feed.subscribe(nothing);
    for (const refusal of refusals) announce(refusal);
    await turn();
    expect(names(feed.getState().entries)).toEqual(["v4", "v3"]);
    await feed.older();
    await feed.older();
    expect(names(feed.getState().entries)).toEqual(["v4", "v3", "v2", "not r", "v1"]);
  });

  it("drops an older page that no longer follows what it shows", async () => {
    const { thread, act } = await started(10);
    const held = gate();
    const source = { onCommit: thread.onCommit, history: held.hold(thread.history) };
    const feed = createHistoryFeed(source, { pageSize: 4, limit: 4 });
    feed.subscribe(nothing);
    await turn();
    held.release();
    await turn();
    const older = feed.older();
    await turn();
    await act(11);
    held.release();
    await older;
    expect(names(feed.getState().entries)).toEqual(["v11", "v10", "v9", "v8"]);
    expect(feed.getState().hasOlder).toBe(true);
  });

  it("throws for a page size outside 1 to 5,000", async () => {
    const { thread } = await started();
    expect(() => createHistoryFeed(thread, { pageSize: 0 })).toThrow(RangeError);
    expect(() => createHistoryFeed(thread, { pageSize: 6_000 })).toThrow(RangeError);
  });

  it("is a part of the history without gap or repetition, in any order of reads, commits and subscriptions", async () => {
    const step = fc.constantFrom("commit", "commit", "refuse", "older", "release", "turn", "watch", "unwatch", "fail");
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.integer({ min: 4, max: 6 }),
        async (steps, pageSize) => {
          // Of more refusals in a row than a page can list, the history lists only the newest.
          let inRow = 0;
          const { thread, act } = await started(6);
          const held = gate();
          let failing = false;
          const source = {
            onCommit: thread.onCommit,
            onRejection: thread.onRejection,
            history: held.hold(async (range: Parameters<typeof thread.history>[0]) => {
              if (failing) throw new Error("no network");
              return thread.history(range);
            }),
          };
          const feed = createHistoryFeed(source, { pageSize, rejections: true });
          const check = async () => {
            const whole = names(await thread.history({ order: "descending", rejections: true }));
            const shown = names(feed.getState().entries);
            const from = shown[0] === undefined ? 0 : whole.indexOf(shown[0]);
            expect(shown).toEqual(whole.slice(from, from + shown.length));
          };
          const ends: (() => void)[] = [];
          for (const [index, what] of steps.entries()) {
            if (what === "commit") await act((index % 9) + 1);
            if (what === "refuse" && inRow < 2) await thread.dispatch(add(101), { actor: ada, id: `r${index}` });
            inRow = what === "commit" ? 0 : inRow + Number(what === "refuse");
            if (what === "older") void feed.older();
            if (what === "release") held.release();
            if (what === "turn") await turn();
            if (what === "watch") ends.push(feed.subscribe(nothing));
            if (what === "unwatch") ends.pop()?.();
            if (what === "fail") failing = !failing;
            await check();
          }
          failing = false;
          ends.push(feed.subscribe(nothing));
          // A read that failed is repeated with the next commit.
          do {
            held.release();
            await turn();
          } while (held.length > 0);
          await act(1);
          do {
            held.release();
            await turn();
          } while (held.length > 0);
          await check();
          expect(names(feed.getState().entries)[0]).toBe(`v${thread.version}`);
          expect(feed.getState().loading).toBe(false);
          for (let pages = 0; feed.getState().hasOlder && pages < 60; pages++) {
            const read = feed.older();
            do {
              held.release();
              await turn();
            } while (held.length > 0);
            await read;
          }
          const whole = names(await thread.history({ order: "descending", rejections: true }));
          expect(names(feed.getState().entries)).toEqual(whole);
          for (const end of ends) end();
        },
      ),
      { numRuns: 150 },
    );
  });
});
