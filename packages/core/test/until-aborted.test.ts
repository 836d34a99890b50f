import { describe, expect, it } from "vitest";
import { eachUntilAborted, untilAborted } from "../src/until-aborted.ts";

const never = new Promise<never>(() => {});
const stop = new Error("stop");

describe("a wait until a signal aborts", () => {
  it("gives what it waited for", async () => {
    await expect(untilAborted(Promise.resolve("done"), new AbortController().signal)).resolves.toBe("done");
  });

  it("ends with the signal's reason, whatever the work does", async () => {
    const controller = new AbortController();
    const waited = untilAborted(never, controller.signal);
    controller.abort(stop);
    await expect(waited).rejects.toBe(stop);
  });

  it("ends at once when the signal has aborted before", async () => {
    await expect(untilAborted(never, AbortSignal.abort(stop))).rejects.toBe(stop);
  });
});

describe("a loop until a signal aborts", () => {
  /** Gives two numbers, then waits until it is released. */
  function numbers() {
    const seen = { begun: false, ended: false };
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    async function* give() {
      seen.begun = true;
      try {
        yield 1;
        yield 2;
        await released;
      } finally {
        seen.ended = true;
      }
    }
    return { seen, iterable: give(), release: () => release() };
  }

  async function read(iterable: AsyncIterable<number>, signal: AbortSignal, onEach: (each: number) => void = () => {}) {
    const found: number[] = [];
    for await (const each of eachUntilAborted(iterable, signal)) {
      found.push(each);
      onEach(each);
    }
    return found;
  }

  it("gives all of it without an abort", async () => {
    const { iterable, release } = numbers();
    release();
    await expect(read(iterable, new AbortController().signal)).resolves.toEqual([1, 2]);
  });

  it("ends while the next value is waited for, and its iterator returns once that is there", async () => {
    const controller = new AbortController();
    const { seen, iterable, release } = numbers();
    const reading = read(iterable, controller.signal, (each) => {
      if (each === 2) queueMicrotask(() => controller.abort(stop));
    });
    await expect(reading).rejects.toBe(stop);
    expect(seen.ended).toBe(false);
    release();
    await expect.poll(() => seen.ended).toBe(true);
  });

  it("begins nothing when the signal has aborted before", async () => {
    const { seen, iterable } = numbers();
    await expect(read(iterable, AbortSignal.abort(stop))).rejects.toBe(stop);
    expect(seen.begun).toBe(false);
  });
});
