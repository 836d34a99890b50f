// Which node a thread prefers.

import { describe, expect, it } from "vitest";
import type { LiveNode } from "../../src/log/ownership.ts";
import { preferredNode } from "../../src/owners/preferred-node.ts";

const nodeAt = (name: string): LiveNode => ({
  id: `id of ${name}`,
  address: `http://${name}`,
  isDraining: false,
  left: 1,
});
const four = ["a", "b", "c", "d"].map(nodeAt);
const threads = Array.from({ length: 4_000 }, (_, index) => `thread ${index}`);
const addressOf = (nodes: readonly LiveNode[], thread: string) => preferredNode(nodes, thread)?.address;

describe("the preferred node", () => {
  it("is the same for every node, in whatever order it sees the nodes", () => {
    for (const thread of threads.slice(0, 100))
      expect(addressOf(four.toReversed(), thread)).toBe(addressOf(four, thread));
  });

  it("of many threads is each node about as often", () => {
    const counts = new Map<unknown, number>();
    for (const thread of threads) {
      const address = addressOf(four, thread);
      counts.set(address, (counts.get(address) ?? 0) + 1);
    }
    expect(counts.size).toBe(4);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it("changes for the threads of a node that comes or goes alone", () => {
    const three = four.slice(0, 3);
    for (const thread of threads) {
      const [before, after] = [addressOf(four, thread), addressOf(three, thread)];
      if (before !== "http://d") expect(after).toBe(before);
    }
  });

  it("stays when a node starts again at its address, and is none that shuts down", () => {
    const again = four.map((node) => ({ ...node, id: `${node.id}, again` }));
    const leaving = four.map((node) => ({ ...node, isDraining: node.address === "http://a" }));
    for (const thread of threads.slice(0, 200)) {
      expect(addressOf(again, thread)).toBe(addressOf(four, thread));
      expect(addressOf(leaving, thread)).toBe(addressOf(four.slice(1), thread));
    }
    expect(
      preferredNode(
        four.map((node) => ({ ...node, isDraining: true })),
        "t",
      ),
    ).toBeUndefined();
  });
});
