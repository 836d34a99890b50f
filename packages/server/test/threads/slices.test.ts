// Work for many readers lets everything else in the process run in between.

import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { EventFrame, JoinedFrames } from "../../src/http/event-frame.ts";
import { FrameRing } from "../../src/threads/frame-ring.ts";
import { SharedTurns } from "../../src/threads/shared-turns.ts";
import { ServedThread } from "../../src/threads/served-thread.ts";
import { type FeedSubscriber, ThreadFeed } from "../../src/threads/thread-feed.ts";
import { ThreadFollower } from "../../src/threads/thread-follower.ts";
import { addCard, board } from "../support/board.ts";

const actor = { kind: "user", id: "ada" };

async function openBoard(commits: number) {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "launch" });
  for (let n = 1; n <= commits; n += 1) await thread.dispatch(addCard(`c${n}`), { actor });
  return thread;
}

it("readers who all come at once begin in several turns, whenever their work is done", async () => {
  const turns = new SharedTurns();
  let inThisTurn = 0;
  let most = 0;
  let isOver = false;
  const count = (): void => {
    inThisTurn = 0;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    Array.from({ length: 200 }, async () => {
      await turns.next();
      // As a request that looks something up first.
      await Promise.resolve();
      inThisTurn += 1;
      most = Math.max(most, inThisTurn);
    }),
  );
  isOver = true;
  expect(most).toBeLessThan(50);
});

describe("the feed of a thread", () => {
  const busy = (milliseconds: number): void => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  };

  it("gives commits to many in slices, to each in their order", async () => {
    const thread = await openBoard(0);
    const feed = new ThreadFeed(thread);
    const got: number[][] = [];
    for (let n = 0; n < 300; n += 1) {
      const versions: number[] = [];
      got.push(versions);
      const subscriber: FeedSubscriber = {
        onCommit: (version) => {
          busy(0.2);
          versions.push(version);
        },
        onRefusal: () => {},
        onPresence: () => {},
        onEnd: () => {},
      };
      feed.subscribe(subscriber);
    }
    let turnsOfOthers = 0;
    let isOver = false;
    const other = (): void => {
      turnsOfOthers += 1;
      if (!isOver) setImmediate(other);
    };
    await thread.dispatch(addCard("c1"), { actor });
    await thread.dispatch(addCard("c2"), { actor });
    setImmediate(other);
    await expect.poll(() => got.every(({ length }) => length === 2)).toBe(true);
    isOver = true;
    expect(new Set(got.map(String))).toEqual(new Set(["1,2"]));
    expect(turnsOfOthers).toBeGreaterThan(1);
  });

  it("gives to those who stay when others leave in between", async () => {
    const thread = await openBoard(0);
    const feed = new ThreadFeed(thread);
    const got: number[] = [];
    const leaves: (() => void)[] = [];
    for (let n = 0; n < 200; n += 1)
      leaves.push(
        feed.subscribe({
          onCommit: (version) => {
            busy(0.2);
            got.push(version);
            // The next one has left before its turn.
            if (n % 2 === 0) leaves[n + 1]?.();
          },
          onRefusal: () => {},
          onPresence: () => {},
          onEnd: () => {},
        }),
      );
    await thread.dispatch(addCard("c1"), { actor });
    await expect.poll(() => got.length).toBe(100);
  });
});

describe("frames of one thread", () => {
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const frames = [1, 2, 3].map((id) => new EventFrame("commits", { id }, id)) as [EventFrame, ...EventFrame[]];

  it("are the same bytes together as one after another", () => {
    const joined = new JoinedFrames(frames);
    expect(text(joined.bytes)).toBe(frames.map(({ bytes }) => text(bytes)).join(""));
    expect(text(joined.withoutId)).toBe(frames.map(({ withoutId }) => text(withoutId)).join(""));
  });

  it("are put together once for all who miss the same, and never more than is wanted", async () => {
    const ring = new FrameRing(await openBoard(0));
    const all = ring.joined(frames);
    expect(ring.joined(frames)).toBe(all);
    expect(ring.joined([frames[0]]).count).toBe(1);
  });

  it("are read from the log once for all who want them at once", async () => {
    const thread = await openBoard(3);
    let reads = 0;
    const counted = {
      ...thread,
      history: (...given: Parameters<typeof thread.history>) => {
        reads += 1;
        return thread.history(...given);
      },
    };
    const ring = new FrameRing(counted);
    const [one, other] = await Promise.all([ring.missed(0, 50), ring.missed(0, 50)]);
    expect(one.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(other).toBe(one);
    expect(reads).toBe(1);
    await ring.missed(0, 50);
    expect(reads).toBe(2);
  });
});

describe("a reader who catches up", () => {
  async function behind(onRead: (served: ServedThread) => void = () => {}) {
    const thread = await openBoard(1);
    for (let n = 0; n < 4; n += 1)
      await thread.dispatch(board.op.annotate({ cardId: "c1", note: `${n}`.repeat(40_000) }), { actor });
    let reads = 0;
    const counted = {
      ...thread,
      history: async (...given: Parameters<typeof thread.history>) => {
        reads += 1;
        const page = await thread.history(...given);
        if (reads === 1) onRead(served);
        return page;
      },
    };
    const served: ServedThread = new ServedThread(counted);
    const reader = { hasRoom: () => true, drained: async () => true, send: () => {}, sendJoined: () => {} };
    const follower = new ThreadFollower({
      served,
      actor,
      after: 0,
      reader: { ...reader, disconnect: () => {} },
      onBehind: () => {},
      onEnd: () => {},
    });
    await follower.catchUp();
    return { served, follower, reads: () => reads };
  }

  it("gets what is read again where something was erased while it was read", async () => {
    const { follower, reads } = await behind((served) => served.frames.clear());
    expect(reads()).toBe(2);
    expect(follower.position).toBeGreaterThan(0);
  });

  it("has frames made of no more commits than a turn sends", async () => {
    const { served, follower } = await behind();
    expect(follower.position).toBeGreaterThan(0);
    expect(follower.position).toBeLessThan(5);
    expect([...served.frames.from(1)]).toHaveLength(follower.position ?? 0);
  });
});
