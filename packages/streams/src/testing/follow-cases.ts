// Following: being woken, and reading on.

import { follow, readNext } from "../store/follow.ts";
import type { StreamStore } from "../store/store.ts";
import type { StreamCases } from "./contract.ts";
import { bytes, expectLike, expectRejects, textsOf } from "./expect.ts";

/** Rejects when nothing happens: for a case that hangs. */
const PATIENCE = 20_000;

function followed(store: StreamStore, id: string): { readonly next: () => Promise<void>; readonly end: () => void } {
  let count = 0;
  let known = 0;
  let wake = () => {};
  const end = store.watch(id, () => {
    count += 1;
    wake();
  });
  return {
    end,
    async next() {
      if (count === known) {
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error("The watcher was not called.")), PATIENCE);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      known = count;
    },
  };
}

async function onAndOff(writer: StreamStore, reader: StreamStore): Promise<void> {
  const { next, end } = followed(reader, "a");
  await writer.create("a", { contentType: "application/json" });
  await next();
  // What was notified of may be older than this.
  const reading = readNext(reader, "a", { wait: PATIENCE });
  await writer.append("a", { messages: [bytes("1")] });
  expectLike("read", textsOf(await reading), ["1"]);
  const closing = readNext(reader, "a", { position: 1, wait: PATIENCE });
  await writer.append("a", { close: true });
  expectLike("closed", await closing, { messages: [], info: { isClosed: true } });
  end();
}

export const followCases: StreamCases = {
  async "a watcher is notified of what this store does"({ store }) {
    await onAndOff(store, store);
  },

  async "a watcher is notified of what another process does"({ store, beside }) {
    if (beside) await onAndOff(await beside(), store);
  },

  async "a watcher is not called within the call that changed the stream, nor after its end"({ store }) {
    await store.create("a", { contentType: "text/plain" });
    let isWithin = false;
    let calls = 0;
    const end = store.watch("a", () => {
      calls += 1;
      if (isWithin) throw new Error("It was called within the call.");
    });
    isWithin = true;
    const appending = store.append("a", { messages: [bytes("1")] });
    isWithin = false;
    await appending;
    end();
    const before = calls;
    const { next, end: endOther } = followed(store, "a");
    await store.append("a", { messages: [bytes("2")] });
    await next();
    endOther();
    expectLike("calls after its end", calls - before, 0);
  },

  async "one who waits gets an empty page when the time is over"({ store }) {
    await store.create("a", { contentType: "text/plain", messages: [bytes("12")] });
    expectLike("page", await readNext(store, "a", { position: 2, wait: 30 }), { messages: [], next: 2 });
    expectLike("from the tail", await readNext(store, "a", { position: "tail", wait: 0 }), { from: 2 });
  },

  async "one who waits is notified that the stream is deleted, or is another one"({ store }) {
    await store.create("a");
    const reading = readNext(store, "a", { wait: PATIENCE });
    await store.delete("a");
    await store.create("a", { messages: [bytes("new")] });
    const read = await reading;
    // It may have begun to read only after all that.
    if (read.status === "found") expectLike("the new one", textsOf(read), ["new"]);
    const another = await readNext(store, "a", {}, { incarnation: "another" });
    expectLike("another", another, { status: "unknown" });
  },

  async "one who waits can leave"({ store }) {
    await store.create("a");
    const leaving = new AbortController();
    const reading = readNext(store, "a", { wait: PATIENCE }, { signal: leaving.signal });
    leaving.abort();
    await expectRejects("aborted", "aborted", reading);
  },

  async "following gives what was there and what comes, once, until the end"({ store }) {
    await store.create("a", { contentType: "application/json" });
    const expected = Array.from({ length: 60 }, (_, index) => String(index));
    for (const text of expected.slice(0, 20)) await store.append("a", { messages: [bytes(text)] });
    const texts: string[] = [];
    const following = (async () => {
      for await (const page of follow(store, "a", { limit: 7 })) texts.push(...textsOf(page));
    })();
    for (const text of expected.slice(20)) await store.append("a", { messages: [bytes(text)] });
    await store.append("a", { close: true });
    await following;
    expectLike("texts", texts, expected);
  },

  async "a reader who waits keeps a stream with a time to live"({ store, pass }) {
    await store.create("a", { contentType: "text/plain", ttl: 1_000 });
    pass(900_000);
    const reading = readNext(store, "a", { wait: PATIENCE });
    // Where an expectation fails first, the store is closed under it.
    reading.catch(() => {});
    await store.read("a");
    pass(900_000);
    expectLike("there", await store.append("a", { messages: [bytes("x")] }), { status: "appended" });
    expectLike("read", textsOf(await reading), ["x"]);
  },
};
