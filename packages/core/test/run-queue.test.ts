import { RunQueue } from "@opstate/core/run-queue";
import { describe, expect, it } from "vitest";

describe("RunQueue", () => {
  it("runs one after the other on one key, in call order, and other keys beside it", async () => {
    const queue = new RunQueue();
    const order: string[] = [];
    const endOther = await queue.turn("other");
    const runs = ["a", "b", "c"].map((name) =>
      queue.run("thread", async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
      }),
    );
    await Promise.all(runs);
    endOther();
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("resolves or rejects as the run does, and goes on after one that failed", async () => {
    const queue = new RunQueue();
    const failed = queue.run("thread", () => Promise.reject(new Error("boom")));
    const next = queue.run("thread", () => Promise.resolve("done"));
    await expect(failed).rejects.toThrow("boom");
    await expect(next).resolves.toBe("done");
  });

  it("is idle when every turn has ended", async () => {
    const queue = new RunQueue();
    await queue.idle();
    const end = await queue.turn("thread");
    let isIdle = false;
    const idle = (async () => {
      await queue.idle();
      isIdle = true;
    })();
    await Promise.resolve();
    expect(isIdle).toBe(false);
    end();
    await idle;
    expect(isIdle).toBe(true);
  });
});
