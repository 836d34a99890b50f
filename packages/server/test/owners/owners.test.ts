// What a node knows of the others, over an ownership that is in memory.

import { describe, it, onTestFinished, vi } from "vitest";
import type { Ownership } from "../../src/log/ownership.ts";
import { Owners } from "../../src/owners/owners.ts";

/** Two nodes are there, this one and another. */
function ownership(handOver: Ownership["handOver"]): Ownership {
  return {
    renew: async ({ id, address }, lease) => ({
      now: Date.now(),
      nodes: [
        { id, address, isDraining: false, left: lease },
        { id: "another", address: "http://another", isDraining: false, left: lease },
      ],
    }),
    ownerOf: async () => undefined,
    assign: async () => undefined,
    handOver,
    leave: async () => undefined,
  };
}

describe("what prefers another node", () => {
  it("goes there, however often the lease is renewed in between", async () => {
    const handOver = vi.fn<Ownership["handOver"]>(async () => 0);
    const owners = new Owners({
      ownership: ownership(handOver),
      address: "http://this",
      lease: 300,
      onError: () => undefined,
    });
    onTestFinished(() => owners.leave());
    await owners.join();
    await vi.waitUntil(
      async () => {
        await owners.live();
        return handOver.mock.calls.length > 0;
      },
      { interval: 10, timeout: 60_000 },
    );
  });
});
